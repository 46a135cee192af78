import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import type { Scheme } from "./scheme.ts";
import { checkSecret } from "./secret.ts";

function check(id: string, secret: string) {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const result = checkSecret(provider, secret);
  return result.ok ? result.warnings.length : result.message;
}

const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("saving a secret", () => {
  it.each(["stripe", "svix", "gitlab", "basic-auth", "bearer"])(
    "%s: an empty or blank one is rejected",
    (id) => {
      expect(check(id, "")).toContain("empty");
      expect(check(id, " \n\t")).toContain("white space");
    },
  );

  it("a good one is accepted without a warning", () => {
    expect([
      check("stripe", "whsec_x"),
      check("svix", `whsec_${key}`),
      check("github", "any text"),
    ]).toEqual([0, 0, 0]);
    expect(check("basic-auth", "user:pass:word")).toBe(0);
  });

  it("white space at its ends causes a warning, and is never trimmed", () => {
    expect([check("stripe", "whsec_x\n"), check("github", " s"), check("bearer", "t ")]).toEqual([
      1, 1, 1,
    ]);
  });

  it("rejects an API key or a placeholder, and warns about an unusual prefix", () => {
    expect(check("stripe", "sk_live_abc")).toBe(
      "The secret is an API key, not a signing secret. Paste the signing " +
        "secret, which the provider shows with the webhook or endpoint.",
    );
    expect(check("stripe", "whsec_…")).toContain("is a placeholder");
    expect(check("clerk", "sk_test_abc")).toContain("is an API key");
    expect(check("stripe", "abc")).toBe(1);
  });

  it("a secret copied with extra text causes a warning, or an error if it can't be decoded", () => {
    expect(check("stripe", '"whsec_x"')).toBe(1);
    expect(check("github", "SECRET=abcdefgh")).toBe(1);
    expect(check("svix", `whsec_whsec_${key}`)).toContain("has its prefix twice");
    expect(check("svix", `"whsec_${key}"`)).toContain("is in quotation marks");
  });

  it("a public key in PEM may end with a line break", () => {
    const { pasted } = sampleSecret({ kind: "publicKey", algorithm: "ed25519" } as Scheme, "pem");
    expect(pasted.endsWith("-----\n")).toBe(true);
    for (const id of ["discord", "telnyx"]) expect(check(id, pasted)).toBe(0);
  });

  it.each([
    `whsec_${key}!`,
    "whsec_",
    "whsec_ ",
    `whsec_${key}\n`,
    "whsec_A",
    "whsec_AB==CD",
    "whsec_QR==",
  ])("rejects invalid base64: %j", (secret) => {
    expect(check("svix", secret)).toMatch(/^The secret (is not base64|contains white space)/);
  });

  it("base64 that lost its padding to a double click is the same key", () => {
    expect(check("svix", "whsec_QQ==")).toBe(0);
    expect(check("svix", "whsec_QQ")).toBe(0);
  });

  it("a prefix that decides how to decode is required where the provider's package requires it", () => {
    expect(check("openai", key)).toContain('must start with "whsec_"');
    expect(check("standard-webhooks", key)).toBe(1);
  });

  it("basic authentication needs username and password", () => {
    expect(check("basic-auth", "password")).toContain("colon");
    expect(check("basic-auth", " : ")).toContain("empty");
  });

  it("a bare scheme is checked like a provider", () => {
    expect(checkSecret({ kind: "bearer" }, "t")).toEqual({ ok: true, warnings: [] });
    expect(checkSecret({ kind: "bearer" }, " ").ok).toBe(false);
  });

  it("no message repeats the secret", () => {
    for (const id of ["svix", "openai", "basic-auth"])
      expect(check(id, "hunter2!")).not.toContain("hunter2");
  });
});
