import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import { checkSecret, kindOfSecret } from "#lib/core/verify/scheme/secret.ts";
import { sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { changeSecret } from "./change-secret.ts";
import { findSecretSlips } from "./find-secret-slips.ts";

const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const whsec = `whsec_${key}`;

describe("how it was copied", () => {
  it.each([
    ["quotes", `"${whsec}"`],
    ["quotes", `“${whsec}”`],
    ["name", `STRIPE_SECRET=${whsec}`],
    ["name", `export STRIPE_SECRET="${whsec}"`],
    ["name", `signing_secret: ${whsec}`],
    ["word", `Bearer ${whsec}`],
    ["prefix_twice", `whsec_${whsec}`],
    ["invisible", `\u200b${whsec}`],
    ["twice", whsec + whsec],
    ["escape", `${whsec}\\n`],
    ["lines", `${whsec.slice(0, 20)}\n  ${whsec.slice(20)}`],
    ["space", ` ${whsec}\n`],
  ])("%s: reported, with the change that undoes it", (id, pasted) => {
    const slip = findSecretSlips(pasted, { startsWith: "whsec_" }).find((found) => found.id === id);
    expect(slip).toMatchObject({ isRejected: false });
    expect(slip?.change && changeSecret(pasted, slip.change)).toBe(whsec);
    expect(`${slip?.words} ${slip?.advice}`).not.toContain(key);
  });

  it("a text that only looks slightly like that gets no hint", () => {
    for (const text of [
      key,
      whsec,
      `${key}=`,
      `${key}==`,
      "it's any text",
      "a=b",
      "tokens",
      "aa",
      "x-secret",
    ])
      expect([text, findSecretSlips(text)]).toEqual([text, []]);
    expect(findSecretSlips("user: pass word", { kind: "password" })).toEqual([]);
  });

  it("every provider's own secrets get no hint, and PEM may end with a line break", () => {
    for (const { id, scheme, secretStartsWith } of listProviders()) {
      if (!takesSecret(scheme)) continue;
      const { pasted } = sampleSecret(scheme, id);
      const slips = findSecretSlips(pasted, {
        kind: kindOfSecret(scheme),
        startsWith: secretStartsWith,
      });
      expect([id, slips]).toEqual([id, []]);
      if (secretStartsWith === undefined)
        expect([id, checkSecret({ scheme, name: id }, pasted)]).toEqual([
          id,
          { ok: true, warnings: [] },
        ]);
    }
    const { publicKey } = generateKeyPairSync("ed25519", {
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    expect(publicKey.endsWith("\n")).toBe(true);
    expect(findSecretSlips(publicKey, { kind: "publicKey" })).toEqual([]);
  });
});

describe("something else than a signing secret", () => {
  it.each([
    ["placeholder", "whsec_…"],
    ["placeholder", "••••••••••••"],
    ["private_key", "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n"],
  ])("%s: %j is rejected for every provider", (id, pasted) => {
    expect(findSecretSlips(pasted)).toMatchObject([{ id, isRejected: true }]);
  });

  it.each([
    ["api_key", "sk_live_51Habcdefghijklmnop"],
    ["api_key", "rk_test_51Habcdefghijklmnop"],
    ["api_key", "STRIPE_KEY=sk_test_51Habcdefghijklmnop"],
    ["api_key", "re_Ab12Cd34_E5f6"],
    ["api_key", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
    ["url", "https://hooks.example/catch/a/b"],
    ["access_token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x"],
    ["json", '{"secret":"x"}'],
    ["placeholder", "whsec_..."],
    ["placeholder", "<your signing secret>"],
    ["placeholder", "your_webhook_secret"],
  ])("%s: %j is rejected if secrets start differently, otherwise warned about", (id, pasted) => {
    const isWhsec = pasted.startsWith("whsec_");
    expect(findSecretSlips(pasted, { startsWith: "whsec_" })).toMatchObject([
      { id, isRejected: !isWhsec },
    ]);
    expect(findSecretSlips(pasted)).toMatchObject([{ id, isRejected: false }]);
  });
});
