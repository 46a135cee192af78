/** The signature is there, and it was made in another way than the hook expects: who, how, over what, at what time. */
import { createHmac } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { bodyMac } from "#lib/core/verify/providers/shapes.ts";
import { listProviders } from "#lib/core/verify/providers.ts";
import type { MacScheme } from "#lib/core/verify/scheme.ts";
import { type SignInput, signRequest } from "#lib/core/verify/sign.ts";
import { requestOf, testUrl } from "#lib/core/verify/test-request.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/test-sample.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { diagnose } from "./diagnose.ts";
import type { Finding } from "./diagnosis.ts";
import { diagnoseDelivery, nowMs, patientOf, schemeOf } from "./test-patient.ts";

const stripe = new Stripe("sk_test_x");
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = JSON.stringify({ id: "evt_1", type: "invoice.paid", name: "Zoë" });
const seconds = nowMs / 1000;

function signStripe(timestamp = seconds) {
  return {
    "Stripe-Signature": stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }),
  };
}

function signSvix() {
  return {
    "svix-id": "msg_1",
    "svix-timestamp": String(seconds),
    "svix-signature": new SvixWebhook(secret).sign("msg_1", new Date(nowMs), body),
  };
}

function mac(hash: string, encoding: "hex" | "base64" | "base64url", text: string): string {
  return createHmac(hash, secret).update(text).digest(encoding);
}

/** What a fix says is done to the hook, and the delivery is verified anew. */
function expectFixHelps(finding: Finding | undefined, headers: Record<string, string>, text = body) {
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

describe("another sender than the hook's provider", () => {
  it.each([
    ["github", "Stripe", () => signStripe()],
    ["stripe", "GitHub", async () => ({ "X-Hub-Signature-256": await signGithub(secret, body) })],
    ["stripe", "Svix", () => signSvix()],
    [
      "github",
      "Shopify",
      () => signRequest(schemeOf("shopify"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    ],
    [
      "shopify",
      "Slack",
      () => signRequest(schemeOf("slack"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    ],
  ] as const)("the hook expects %s, and the sender is %s", async (provider, name, sign) => {
    const headers = (await sign()) as Record<string, string>;
    const { verdict, findings } = diagnoseDelivery({ provider, secret }, headers, body);
    expect(verdict).toBe("explained");
    expect(findings[0]).toMatchObject({
      code: "other_provider",
      confidence: "certain",
      fix: { kind: "change_provider" },
    });
    expect(findings[0]?.sentence).toContain(`signed the way ${name} signs`);
    expectFixHelps(findings[0], headers);
  });

  it("those that sign alike are named too", () => {
    expect(
      diagnoseDelivery({ provider: "stripe", secret }, signSvix(), body).findings[0]?.sentence,
    ).toContain("Clerk, Resend and Brex would sign in the same way");
  });

  it("with another secret it is only likely, and nothing is offered to be done", () => {
    const { verdict, findings } = diagnoseDelivery(
      { provider: "github", secret: "another one" },
      signStripe(),
      body,
    );
    expect(verdict).toBe("unexplained");
    expect(findings[0]).toMatchObject({ code: "sender_looks_other", confidence: "likely", fix: null });
    expect(findings[0]?.sentence).toContain(
      "looks like a delivery of Stripe: it carries the header Stripe-Signature",
    );
    expect(findings[0]?.sentence).toContain("The hook expects GitHub");
  });

  it("whatever sender of the catalogue signs, a hook that is set to another one is explained, and its fix helps", () => {
    const unexplained = listProviders().filter(({ id, scheme }) => {
      if (scheme.kind !== "mac") return false;
      const own = sampleSecret(scheme, id);
      const request = sampleRequest(scheme, own.signing, nowMs);
      const other = id === "linear" ? "paddle" : "linear";
      const { verdict, findings } = diagnose(patientOf({ provider: other, secret: own.pasted }, request));
      const fix = findings[0]?.fix;
      if (verdict !== "explained" || fix?.kind !== "change_provider") return true;
      return (
        prepareVerifier({ scheme: schemeOf(fix.provider), secrets: [own.pasted] })(request, nowMs).outcome !==
        "verified"
      );
    });
    expect(unexplained.map(({ id }) => id)).toEqual([]);
  });
});

describe("a custom hook whose scheme is off by something", () => {
  const base = bodyMac("x-signature");
  const diagnoseCustom = (scheme: MacScheme, headers: Record<string, string>) => {
    const { verdict, findings } = diagnoseDelivery({ provider: "custom", scheme, secret }, headers, body);
    expect(verdict).toBe("explained");
    expectFixHelps(findings[0], headers);
    return findings[0];
  };
  /** A header that no sender of the catalogue has, so that none of them explains it. */
  const own = bodyMac("x-acme-signature");

  it.each(["md5", "sha1", "sha512"])("the hash: %s", (hash) => {
    const finding = diagnoseCustom(own, { "x-acme-signature": mac(hash, "hex", body) });
    expect(finding).toMatchObject({
      code: "other_hash",
      fix: { kind: "change_verification", verification: { hash } },
    });
    expect(finding?.sentence).toContain(
      `HMAC-${hash.toUpperCase().replace("SHA", "SHA-")}, and the hook expects HMAC-SHA-256`,
    );
  });

  it.each(["base64", "base64url"] as const)("the encoding: %s", (encoding) => {
    const finding = diagnoseCustom(own, { "x-acme-signature": mac("sha256", encoding, body) });
    expect(finding).toMatchObject({ code: "other_encoding", fix: { verification: { encoding } } });
    expect(finding?.sentence).toContain(`written as ${encoding}, and the hook expects hex`);
  });

  it.each([
    ["sha256=", `"sha256=…"`],
    ["sha256 ", `"sha256 …"`],
  ])("the format: %s in front", (prefix, words) => {
    const finding = diagnoseCustom(own, { "x-acme-signature": prefix + mac("sha256", "hex", body) });
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
    expect(finding?.sentence).toContain(`It signs \`${template}\``);
    expect(finding?.sentence).toContain("expects `{body}`");
  });

  it("Stripe's t.body where the hook expects the body alone, in one header of pairs", () => {
    const headers = { "x-acme-signature": `t=${seconds},v1=${mac("sha256", "hex", `${seconds}.${body}`)}` };
    const finding = diagnoseCustom(own, headers);
    expect(finding?.code).toBe("other_scheme");
    expect(finding?.sentence).toContain("`{timestamp}.{body}` signed instead of `{body}`");
  });

  it("three things at once", () => {
    const headers = { "x-acme-hash": `sha1=${mac("sha1", "base64", body)}` };
    const finding = diagnoseCustom(own, headers);
    expect(finding?.code).toBe("other_scheme");
    expect(finding?.sentence).toContain("HMAC-SHA-1 instead of HMAC-SHA-256; base64 instead of hex");
  });

  it("a digest of a text with the secret instead of an HMAC", () => {
    const { hash } = process.getBuiltinModule("node:crypto");
    const finding = diagnoseCustom(own, { "x-acme-signature": hash("sha256", secret + body, "hex") });
    expect(finding?.sentence).toContain("SHA-256 of a text with the secret instead of HMAC-SHA-256");
  });

  it("the catalogue has that scheme: then its name is said", () => {
    const finding = diagnoseCustom(
      base,
      signRequest(schemeOf("github"), secret, { body: Buffer.from(body), timestampMs: nowMs }),
    );
    expect(finding).toMatchObject({ code: "other_provider", fix: { provider: "github" } });
  });

  it("the unit of time, either way", () => {
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

describe("the header of the signature", () => {
  const right = mac("sha256", "hex", body);
  const hook = { provider: "github", secret };

  it.each([
    ["capitals", { "x-hub-signature-256": `sha256=${right.toUpperCase()}` }, "digits are capitals"],
    ["quotation marks", { "x-hub-signature-256": `"sha256=${right}"` }, "quotation marks"],
    ["white space", { "x-hub-signature-256": `sha256= ${right}` }, "white space around it"],
    ["percent-encoding", { "x-hub-signature-256": `sha256%3D${right}` }, "percent-encoded"],
  ])("%s", (_, headers, words) => {
    const { findings } = diagnoseDelivery(hook, headers, body);
    expect(findings[0]).toMatchObject({ code: "signature_altered", confidence: "certain", fix: null });
    expect(findings[0]?.sentence).toContain(words);
  });

  it("base64 that lost its padding", () => {
    const headers = { "x-shopify-hmac-sha256": mac("sha256", "base64", body).replace(/=+$/, "") };
    expect(diagnoseDelivery({ provider: "shopify", secret }, headers, body).findings[0]?.sentence).toContain(
      'lacks the "="',
    );
  });

  it.each([
    [
      "twice",
      { "x-hub-signature-256": [`sha256=${"0".repeat(64)}`, `sha256=${right}`] },
      "came 2 times",
      "second",
    ],
    [
      "joined by a comma",
      { "x-hub-signature-256": `sha256=${right}, sha256=${right}` },
      "joined by a comma",
      "first",
    ],
  ])("%s", (_, headers, words, which) => {
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "header_repeated" });
    expect(findings[0]).toMatchObject({ code: "signature_repeated", confidence: "certain" });
    expect(findings[0]?.sentence).toContain(words);
    expect(findings[0]?.sentence).toContain(`The ${which} is right`);
  });

  it.each(["x_hub_signature_256", "http_x_hub_signature_256", "x-original-x-hub-signature-256"])(
    "renamed to %s",
    (name) => {
      const { findings } = diagnoseDelivery(hook, { [name]: `sha256=${right}` }, body, {
        reason: "signature_missing",
      });
      expect(findings[0]).toMatchObject({ code: "header_renamed", confidence: "certain" });
      expect(findings[0]?.sentence).toContain("X-Hub-Signature-256 arrived under the name");
    },
  );

  it("of the length of another hash, from another secret", () => {
    const headers = {
      "x-hub-signature-256": `sha256=${createHmac("sha1", "other").update(body).digest("hex")}`,
    };
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "signature_malformed" });
    expect(findings[0]).toMatchObject({ code: "signature_shape", confidence: "likely" });
    expect(findings[0]?.sentence).toContain("which is hex of sha256. It is hex of sha1, by its length");
  });

  it("cut off", () => {
    const headers = { "x-hub-signature-256": `sha256=${right.slice(0, 50)}` };
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "signature_malformed" });
    expect(findings[0]?.sentence).toContain("of 50 characters");
  });
});

describe("the time", () => {
  const hook = { provider: "stripe", secret };

  it("47 minutes old, and nothing else was verified: by how much, and that it may be a clock", () => {
    const { verdict, findings } = diagnoseDelivery(hook, signStripe(seconds - 47 * 60), body, {
      reason: "timestamp_too_old",
    });
    expect(verdict).toBe("explained");
    expect(findings).toMatchObject([{ code: "timestamp_too_old", confidence: "certain", fix: null }]);
    expect(findings[0]?.sentence).toContain(
      "made 47 min before this arrived by our clock, and at most 5 min are allowed",
    );
    expect(findings[0]?.sentence).toContain("clock by NTP");
  });

  it("others were verified at that time: an old one that was sent again", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds - 47 * 60), body, {
      wereOthersVerified: true,
    });
    expect(findings[0]?.sentence).toContain("the clocks are right");
  });

  it("hours to the minute: a time zone", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds - 2 * 3600 - 40), body);
    expect(findings[0]?.sentence).toContain("takes its local time for UTC");
  });

  it("ahead of us: this clock is slow", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds + 11 * 60), body);
    expect(findings).toMatchObject([{ code: "timestamp_in_future" }]);
    expect(findings[0]?.sentence).toContain("made 11 min after this arrived");
    expect(findings[0]?.sentence).toContain("clock of this machine is slow");
  });

  it("old, and the secret has a line break: both are said", () => {
    const { findings } = diagnoseDelivery(
      { ...hook, secret: `${secret}\n` },
      signStripe(seconds - 3000),
      body,
    );
    expect(findings.map(({ code }) => code)).toEqual(["secret_text", "timestamp_too_old"]);
  });

  it("right in all: the hook was changed since", () => {
    expect(diagnoseDelivery(hook, signStripe(), body).findings).toMatchObject([
      { code: "verifies_now", confidence: "certain" },
    ]);
  });
});

describe("the URL, where it is signed", () => {
  const input = (url: string): SignInput => ({ body: Buffer.from(body), timestampMs: nowMs, url });
  const diagnoseUrl = (signed: string, url = testUrl, headers: Record<string, string> = {}) => {
    const sent = signRequest(schemeOf("square"), secret, input(signed));
    const request = requestOf({ ...headers, ...sent }, body, { url });
    const { verdict, findings } = diagnose(patientOf({ provider: "square", secret }, request));
    expect([verdict, findings[0]?.code, findings[0]?.fix]).toEqual(["explained", "url_differs", null]);
    expect(findings[0]?.sentence).toContain("CATCHMENT_PUBLIC_URL");
    return findings[0]?.sentence;
  };
  const plain = "https://hooks.example/catch/acme/k3y";

  it.each([
    ["http instead of https", plain.replace("https", "http"), plain, "with http instead of https"],
    ["with its port", plain.replace("example", "example:443"), plain, "with the port written out"],
    ["without its port", plain, plain.replace("example", "example:8443"), "without its port"],
    ["with a slash at its end", `${plain}/`, plain, "with a slash at its end"],
    ["without a slash at its end", plain, `${plain}/`, "without the slash at its end"],
    ["without its query", plain, `${plain}?a=1`, "without its query"],
    ["decoded", `${plain}?a=b c`, `${plain}?a=b%20c`, "percent-escapes decoded"],
    [
      "http and a slash",
      `${plain.replace("https", "http")}/`,
      plain,
      "with http instead of https, and with a slash",
    ],
  ])("%s", (_, signed, url, words) => {
    expect(diagnoseUrl(signed, url)).toContain(words);
  });

  it("the public name differs from CATCHMENT_PUBLIC_URL: what the Host header says", () => {
    const sentence = diagnoseUrl(plain.replace("hooks.example", "in.acme.example"), plain, {
      host: "in.acme.example",
    });
    expect(sentence).toContain(
      "with https://in.acme.example (what its Host header says) instead of https://hooks.example",
    );
  });

  it("a Host header that is no host is not repeated", () => {
    const request = requestOf({ host: "<b>x</b>", "x-square-hmacsha256-signature": "AAAA" }, body);
    expect(JSON.stringify(diagnose(patientOf({ provider: "square", secret }, request)))).not.toContain("<b>");
  });
});
