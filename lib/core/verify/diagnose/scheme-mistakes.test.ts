/**
 * Signatures made in another way than the hook expects: by another provider, algorithm, text, or
 * time.
 */
import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { bodyMac } from "#lib/core/providers/shapes/mac.ts";
import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { requestOf, testUrl } from "#lib/core/verify/testing/test-request.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { diagnose } from "./diagnose.ts";
import type { Finding } from "./diagnosis.ts";
import { body, mac, seconds, secret, signStripe } from "./testing/test-delivery.ts";
import {
  diagnoseDelivery,
  diagnosisInputOf,
  nowMs,
  schemeOf,
} from "./testing/test-diagnosis-input.ts";

function signSvix() {
  return {
    "svix-id": "msg_1",
    "svix-timestamp": String(seconds),
    "svix-signature": new SvixWebhook(secret).sign("msg_1", new Date(nowMs), body),
  };
}

/** Applies the fix to the hook and verifies the delivery again. */
function expectFixHelps(
  finding: Finding | undefined,
  headers: Record<string, string>,
  text = body,
) {
  const fix = finding?.fix;
  const scheme =
    fix?.kind === "change_provider"
      ? schemeOf(fix.provider)
      : fix?.kind === "change_verification"
        ? fix.verification
        : null;
  expect(scheme).not.toBeNull();
  const verdict = prepareVerifier({ scheme, secrets: [secret] })(requestOf(headers, text), nowMs);
  expect(verdict.outcome).toBe("verified");
}

describe("another provider than the hook's provider", () => {
  it.each([
    ["github", "Stripe", () => signStripe()],
    ["stripe", "GitHub", async () => ({ "X-Hub-Signature-256": await signGithub(secret, body) })],
    ["stripe", "Svix", () => signSvix()],
    [
      "github",
      "Shopify",
      () =>
        signRequest(schemeOf("shopify"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    ],
    [
      "shopify",
      "Slack",
      () => signRequest(schemeOf("slack"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    ],
  ] as const)("the hook expects %s, and the provider is %s", async (provider, name, sign) => {
    const headers = (await sign()) as Record<string, string>;
    const { verdict, findings } = diagnoseDelivery({ provider, secret }, headers, body);
    expect(verdict).toBe("explained");
    expect(findings[0]).toMatchObject({
      code: "other_provider",
      confidence: "certain",
      fix: { kind: "change_provider" },
    });
    expect(findings[0]?.sentence).toContain(`signed with ${name}'s scheme`);
    expectFixHelps(findings[0], headers);
  });

  it("providers with the same scheme are named too", () => {
    expect(
      diagnoseDelivery({ provider: "stripe", secret }, signSvix(), body).findings[0]?.sentence,
    ).toMatch(/The same scheme is used by Clerk, Resend, .*and /);
  });

  it("with another secret the provider is only likely, and no fix is offered", () => {
    const { verdict, findings } = diagnoseDelivery(
      { provider: "github", secret: "another one" },
      signStripe(),
      body,
    );
    expect(verdict).toBe("unexplained");
    expect(findings[0]).toMatchObject({
      code: "sender_looks_other",
      confidence: "likely",
      fix: null,
    });
    expect(findings[0]?.sentence).toContain(
      "looks like a delivery from Stripe: it has the header Stripe-Signature",
    );
    expect(findings[0]?.sentence).toContain("The hook expects GitHub");
  });

  it("GitHub with SHA-1 only isn't Intercom, which signs like that", () => {
    const headers = {
      "X-Hub-Signature": `sha1=${mac("sha1", "hex", body)}`,
      "X-GitHub-Event": "push",
      "X-GitHub-Delivery": "1",
    };
    const { verdict, findings } = diagnoseDelivery({ provider: "github", secret }, headers, body);
    expect(verdict).toBe("explained");
    expect(findings).toMatchObject([
      { code: "other_scheme", confidence: "certain", fix: { kind: "change_verification" } },
    ]);
    expect(findings[0]?.sentence).toContain("looks like one from GitHub");
    expect(findings[0]?.sentence).toContain("HMAC-SHA-1 instead of HMAC-SHA-256");
    expect(findings[0]?.sentence).toContain("X-Hub-Signature-256, which is missing");
    expect(JSON.stringify(findings)).not.toContain("Intercom");
    expectFixHelps(findings[0], headers);
  });

  it("the same without a sign of GitHub is Intercom's scheme", () => {
    const headers = { "X-Hub-Signature": `sha1=${mac("sha1", "hex", body)}` };
    const { findings } = diagnoseDelivery({ provider: "github", secret }, headers, body);
    expect(findings[0]).toMatchObject({ code: "other_provider", fix: { provider: "intercom" } });
  });

  it("a hook set to the wrong provider is explained and fixed, for every provider in the catalog", () => {
    const unexplained = listProviders().filter(({ id, scheme }) => {
      if (scheme.kind !== "mac") return false;
      const own = sampleSecret(scheme, id);
      const request = sampleRequest(scheme, own.signing, nowMs);
      const other = id === "linear" ? "paddle" : "linear";
      const { verdict, findings } = diagnose(
        diagnosisInputOf({ provider: other, secret: own.pasted }, request),
      );
      const fix = findings[0]?.fix;
      if (verdict !== "explained" || fix?.kind !== "change_provider") return true;
      return (
        prepareVerifier({ scheme: schemeOf(fix.provider), secrets: [own.pasted] })(request, nowMs)
          .outcome !== "verified"
      );
    });
    expect(unexplained.map(({ id }) => id)).toEqual([]);
  });
});

describe("a custom hook with a wrong scheme", () => {
  const base = bodyMac("x-signature");
  const diagnoseCustom = (scheme: MacScheme, headers: Record<string, string>) => {
    const { verdict, findings } = diagnoseDelivery(
      { provider: "custom", scheme, secret },
      headers,
      body,
    );
    expect(verdict).toBe("explained");
    expectFixHelps(findings[0], headers);
    return findings[0];
  };
  /** A header that no provider in the catalog uses, so that none of them explains it. */
  const own = bodyMac("x-acme-signature");

  it.each(["md5", "sha1", "sha512"])("the hash: %s", (hash) => {
    const finding = diagnoseCustom(own, { "x-acme-signature": mac(hash, "hex", body) });
    expect(finding).toMatchObject({
      code: "other_hash",
      fix: { kind: "change_verification", verification: { hash } },
    });
    expect(finding?.sentence).toContain(
      `HMAC-${hash.toUpperCase().replace("SHA", "SHA-")}, but the hook expects HMAC-SHA-256`,
    );
  });

  it.each(["base64", "base64url"] as const)("the encoding: %s", (encoding) => {
    const finding = diagnoseCustom(own, { "x-acme-signature": mac("sha256", encoding, body) });
    expect(finding).toMatchObject({ code: "other_encoding", fix: { verification: { encoding } } });
    expect(finding?.sentence).toContain(`encoded as ${encoding} instead of hex`);
  });

  it.each([
    ["sha256=", `"sha256=…"`],
    ["sha256 ", `"sha256 …"`],
  ])("the format: %s before it", (prefix, words) => {
    const finding = diagnoseCustom(own, {
      "x-acme-signature": prefix + mac("sha256", "hex", body),
    });
    expect(finding?.code).toBe("other_format");
    expect(finding?.sentence).toContain(words);
  });

  it("the header", () => {
    const finding = diagnoseCustom(own, { "x-acme-hmac": mac("sha256", "hex", body) });
    expect(finding?.code).toBe("other_header");
    expect(finding?.sentence).toContain("in the header X-Acme-Hmac");
  });

  it.each([
    ["{timestamp}.{body}", `${seconds}.${body}`],
    ["{timestamp}{body}", `${seconds}${body}`],
    ["v0:{timestamp}:{body}", `v0:${seconds}:${body}`],
    ["{id}.{timestamp}.{body}", `msg_1.${seconds}.${body}`],
    ["{body}.{timestamp}", `${body}.${seconds}`],
    ["{url}{body}", `${testUrl}${body}`],
  ])("the signed text: %s against {body}", (template, text) => {
    const headers = {
      "x-acme-signature": mac("sha256", "hex", text),
      "x-acme-timestamp": String(seconds),
      "x-acme-id": "msg_1",
    };
    const finding = diagnoseCustom(own, headers);
    expect(finding).toMatchObject({
      code: "other_template",
      fix: { verification: { signed: { template } } },
    });
    expect(finding?.sentence).toContain(`The provider signs \`${template}\``);
    expect(finding?.sentence).toContain("expects `{body}`");
  });

  it("Stripe's t.body if the hook expects only the body, in one header of pairs", () => {
    const headers = {
      "x-acme-signature": `t=${seconds},v1=${mac("sha256", "hex", `${seconds}.${body}`)}`,
    };
    const finding = diagnoseCustom(own, headers);
    expect(finding?.code).toBe("other_scheme");
    expect(finding?.sentence).toContain("`{timestamp}.{body}` signed instead of `{body}`");
  });

  it("three differences at once", () => {
    const headers = { "x-acme-hash": `sha1=${mac("sha1", "base64", body)}` };
    const finding = diagnoseCustom(own, headers);
    expect(finding?.code).toBe("other_scheme");
    expect(finding?.sentence).toContain(
      "HMAC-SHA-1 instead of HMAC-SHA-256; base64 instead of hex",
    );
  });

  it("a digest of a text with the secret instead of an HMAC", () => {
    const { hash } = process.getBuiltinModule("node:crypto");
    const finding = diagnoseCustom(own, {
      "x-acme-signature": hash("sha256", secret + body, "hex"),
    });
    expect(finding?.sentence).toContain(
      "SHA-256 of the text and the secret instead of HMAC-SHA-256",
    );
  });

  it("a scheme of the catalog is named", () => {
    const finding = diagnoseCustom(
      base,
      signRequest(schemeOf("github"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    );
    expect(finding).toMatchObject({ code: "other_provider", fix: { provider: "github" } });
  });

  it("the time unit, either way", () => {
    const stamped: MacScheme = {
      ...own,
      signed: { template: "{timestamp}.{body}" },
      timestamp: {
        source: { from: "header", name: "x-acme-timestamp" },
        unit: "s",
        pastSeconds: 300,
        futureSeconds: 300,
      },
    };
    const inMs = {
      "x-acme-timestamp": String(nowMs),
      "x-acme-signature": mac("sha256", "hex", `${nowMs}.${body}`),
    };
    expect(diagnoseCustom(stamped, inMs)).toMatchObject({
      code: "timestamp_unit",
      fix: { verification: { timestamp: { unit: "ms" } } },
    });
    const msScheme = { ...stamped, timestamp: { ...stamped.timestamp, unit: "ms" } } as MacScheme;
    const inS = {
      "x-acme-timestamp": String(seconds),
      "x-acme-signature": mac("sha256", "hex", `${seconds}.${body}`),
    };
    expect(diagnoseCustom(msScheme, inS)).toMatchObject({
      code: "timestamp_unit",
      fix: { verification: { timestamp: { unit: "s" } } },
    });
  });
});
