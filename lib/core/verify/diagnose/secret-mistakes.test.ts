/** Makes each copying mistake with the provider's own package, and checks the finding's text. */
import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { changeSecret } from "#lib/core/verify/secret/change-secret.ts";
import { diagnoseDelivery, nowMs, schemeOf, secretOf } from "./testing/test-diagnosis-input.ts";

const stripe = new Stripe("sk_test_x");
const secret = "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH";
const body = JSON.stringify({ id: "evt_1", type: "invoice.paid", name: "Zoë ☃" });
const seconds = nowMs / 1000;

function signStripe(key: string, payload = body) {
  return {
    "Stripe-Signature": stripe.webhooks.generateTestHeaderString({
      payload,
      secret: key,
      timestamp: seconds,
    }),
  };
}

function diagnoseStripe(pasted: string, signedWith: string, payload = body) {
  const hook = { provider: "stripe", secret: pasted };
  return diagnoseDelivery(hook, signStripe(signedWith, payload), payload);
}

describe("a secret that was copied badly", () => {
  const slips = [
    [`${secret}\n`, "ends with a line break"],
    [`${secret}\r\n`, "ends with a line break"],
    [` ${secret}`, "begins with white space"],
    [`\t${secret} `, "begins with a tab and ends with white space"],
    [`"${secret}"`, "quotation marks"],
    [`'${secret}'`, "quotation marks"],
    [`“${secret}”`, "quotation marks"],
    [`whsec_${secret}`, "has its whsec_ twice"],
    [`STRIPE_WEBHOOK_SECRET=${secret}`, "its variable name"],
    [`export STRIPE_SECRET="${secret}"`, "its variable name"],
    [`Bearer ${secret}`, '"Bearer"'],
    [`${secret}\u200b`, "an invisible character"],
    [`\ufeff${secret}`, "begins with white space"],
    [`${secret.slice(0, 20)}\u200b${secret.slice(20)}`, "an invisible character"],
    [`${secret.slice(0, 20)}\n  ${secret.slice(20)}`, "contains white space"],
    [`${secret}\\n`, 'a literal "\\n"'],
    [`${secret}.`, "punctuation mark"],
    [secret + secret, "pasted twice"],
    [secret.slice("whsec_".length), "missing its whsec_ prefix"],
  ] as const;

  it.each(slips)("%j: the finding says so, and the fix corrects it", (pasted, words) => {
    const { verdict, findings } = diagnoseStripe(pasted, secret);
    expect([verdict, findings.length]).toEqual(["explained", 1]);
    const [finding] = findings;
    expect(finding).toMatchObject({
      code: "secret_text",
      confidence: "certain",
      fix: { kind: "replace_secret" },
    });
    expect(finding?.sentence).toContain(words);
    const change = finding?.fix?.kind === "replace_secret" ? finding.fix.change : "trim";
    expect(changeSecret(pasted, change)).toBe(secret);
  });

  it.each([
    [`${secret}\n`, "ends with a line break"],
    [`${secret} `, "ends with a space"],
    [
      secret.slice("whsec_".length),
      "The provider signs without the `whsec_` at the start of your secret.",
    ],
  ])("%j at the provider: the finding says so", (sendersOwn, words) => {
    const { findings } = diagnoseStripe(secret, sendersOwn);
    expect(findings[0]?.sentence).toContain(words);
  });

  it("percent-encoding and letter case", async () => {
    const odd = "a b+c/d=e";
    const encoded = encodeURIComponent(odd);
    const headers = { "x-hub-signature-256": await signGithub(odd, body) };
    expect(
      diagnoseDelivery({ provider: "github", secret: encoded }, headers, body).findings[0]
        ?.sentence,
    ).toContain("percent-encoded");
    const hex = { "x-hub-signature-256": await signGithub("8f742231b10e8888abcd", body) };
    const shouted = diagnoseDelivery(
      { provider: "github", secret: "8F742231B10E8888ABCD" },
      hex,
      body,
    );
    expect(shouted.findings[0]?.sentence).toContain(
      "capital letters where the provider's has lowercase letters",
    );
  });

  it("an older active secret isn't replaced", () => {
    const secrets = [
      secretOf("whsec_new"),
      secretOf(`${secret}\n`, { id: "old", isCurrent: false }),
    ];
    const { findings } = diagnoseDelivery({ provider: "stripe" }, signStripe(secret), body, {
      secrets,
    });
    expect(findings).toMatchObject([{ code: "secret_text", fix: null }]);
  });
});

describe("a secret that is or isn't decoded", () => {
  const raw = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const signed = (
    webhook: { sign: (id: string, at: Date, text: string) => string },
    prefix: string,
  ) => ({
    [`${prefix}-id`]: "msg_1",
    [`${prefix}-timestamp`]: String(seconds),
    [`${prefix}-signature`]: webhook.sign("msg_1", new Date(nowMs), body),
  });

  it("svix decodes base64: a hook that uses it as text gets the right scheme", () => {
    const scheme = { ...schemeOf("svix"), secret: { decode: "utf8" } } as ReturnType<
      typeof schemeOf
    >;
    const headers = signed(new SvixWebhook(`whsec_${raw.toString("base64")}`), "svix");
    const hook = { provider: "custom", scheme, secret: `whsec_${raw.toString("base64")}` };
    // The catalog has this scheme, so its name is shown instead of "decode".
    expect(diagnoseDelivery(hook, headers, body).findings).toMatchObject([
      { code: "other_provider", fix: { kind: "change_provider", provider: "svix" } },
    ]);
  });

  it("base64-decoded if the hook uses it as text", () => {
    const text = raw.toString("base64");
    const headers = { "stripe-signature": signStripeBytes(raw) };
    const { findings } = diagnoseDelivery({ provider: "stripe", secret: text }, headers, body);
    expect(findings).toMatchObject([
      {
        code: "secret_decoding",
        fix: { kind: "change_verification", verification: { secret: { decode: "base64" } } },
      },
    ]);
    expect(findings[0]?.sentence).toContain("base64-decoded, but the hook uses it as text");
  });

  it("hex-decoded if the hook uses it as text", () => {
    const headers = { "stripe-signature": signStripeBytes(raw) };
    const { findings } = diagnoseDelivery(
      { provider: "stripe", secret: raw.toString("hex") },
      headers,
      body,
    );
    expect(findings[0]?.sentence).toContain("hex-decoded, but the hook uses it as text");
  });

  it("decoded without its prefix if the hook uses it whole", () => {
    const headers = { "stripe-signature": signStripeBytes(raw) };
    const whole = `whsec_${raw.toString("base64")}`;
    const { findings } = diagnoseDelivery({ provider: "stripe", secret: whole }, headers, body);
    expect(findings[0]?.sentence).toContain(
      "base64-decoded without its whsec_, but the hook uses it as text",
    );
  });

  it("used as text if the hook decodes it", () => {
    const text = raw.toString("base64");
    const headers = signed(new StandardWebhook(Buffer.from(text).toString("base64")), "svix");
    const { findings } = diagnoseDelivery({ provider: "svix", secret: text }, headers, body);
    expect(findings).toMatchObject([
      { code: "secret_decoding", fix: { kind: "change_verification" } },
    ]);
    expect(findings[0]?.sentence).toContain(
      "as text, whole, but the hook uses it base64-decoded without its whsec_",
    );
  });

  it("both at once: white space and decoding", () => {
    const text = raw.toString("base64");
    const headers = { "stripe-signature": signStripeBytes(raw) };
    const { verdict, findings } = diagnoseDelivery(
      { provider: "stripe", secret: `${text}\n` },
      headers,
      body,
    );
    expect(verdict).toBe("explained");
    expect(findings.map(({ code }) => code)).toEqual(["secret_text", "secret_decoding"]);
    expect(findings[0]?.sentence).toMatch(/^There are two problems\./);
  });

  function signStripeBytes(key: Buffer): string {
    // The package only takes text, so the key's bytes are passed as the characters of their UTF-8.
    const { createHmac } = process.getBuiltinModule("node:crypto");
    return `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`;
  }
});

describe("another secret than the hook's", () => {
  it("the previous secret: when it expired, and a fix that extends it", () => {
    const secrets = [
      secretOf("whsec_the_new_one_0123"),
      secretOf(secret, { id: "previous", isCurrent: false, expiredAtMs: nowMs - 3 * 3_600_000 }),
    ];
    const { findings } = diagnoseDelivery({ provider: "stripe" }, signStripe(secret), body, {
      secrets,
    });
    expect(findings).toMatchObject([
      {
        code: "secret_previous",
        fix: { kind: "extend_secret", secretId: "previous", seconds: 86_400 },
      },
    ]);
    expect(findings[0]?.sentence).toContain(
      "previous secret, which expired 3 h before this arrived",
    );
  });

  it("another hook's secret, by name", () => {
    const otherHooks = [{ name: "Orders EU", scheme: null, settings: {}, secrets: [secret] }];
    const { findings } = diagnoseDelivery(
      { provider: "stripe", secret: "whsec_mine" },
      signStripe(secret),
      body,
      { otherHooks },
    );
    expect(findings).toMatchObject([{ code: "secret_of_other_hook", fix: null }]);
    expect(findings[0]?.sentence).toContain('the secret of your hook "Orders EU"');
  });

  it("another hook would have accepted it: the provider uses the wrong URL", () => {
    const otherHooks = [
      { name: "Billing", scheme: schemeOf("stripe"), settings: {}, secrets: [secret] },
    ];
    const { findings } = diagnoseDelivery(
      { provider: "github", secret: "mine" },
      signStripe(secret),
      body,
      {
        otherHooks,
      },
    );
    expect(findings).toMatchObject([{ code: "other_hook", fix: null }]);
    expect(findings[0]?.sentence).toContain(
      'Your hook "Billing" would have accepted this delivery',
    );
  });

  it.each(["undefined", "null"])("the provider's secret was never set: %s", (word) => {
    const { findings } = diagnoseStripe(secret, word);
    expect(findings).toMatchObject([{ code: "secret_placeholder", fix: null }]);
    expect(findings[0]?.sentence).toContain(`signs with the text "${word}"`);
  });

  it("an unknown secret: what was tried, where to copy it, and that test and live differ", () => {
    const live = JSON.stringify({ id: "evt_1", livemode: true });
    const { verdict, findings, next, tried, triedWhat } = diagnoseStripe(
      secret,
      "whsec_other",
      live,
    );
    expect(verdict).toBe("unexplained");
    expect(tried).toBeGreaterThan(1_000);
    expect(findings.map(({ code }) => code)).toEqual(["test_mode", "secret_suspicious"]);
    expect(findings[0]?.sentence).toContain("This looks like a live event");
    expect(triedWhat).toContain("the schemes of all other providers");
    expect(next).toContain("Stripe Dashboard");
    expect(next).toContain("https://docs.stripe.com/webhooks/signature");
  });

  it("the event is from test mode", () => {
    const test = JSON.stringify({ id: "evt_1", livemode: false });
    const { findings } = diagnoseStripe(secret, "whsec_other", test);
    expect(findings[0]?.sentence).toContain("This looks like a test event");
  });

  it.each([
    ["sk_live_51Habcdefgh", "API key"],
    ["whsec_••••••••", "while hidden"],
    ["https://hooks.example/x", "is a URL"],
    ["some other words", 'usually start with "whsec_"'],
  ])("something else was pasted: %s", (pasted, words) => {
    const { findings } = diagnoseStripe(pasted, "whsec_other");
    expect(findings[0]?.sentence).toContain(words);
  });

  it("there is none at all", () => {
    const { verdict, findings, next } = diagnoseDelivery(
      { provider: "stripe" },
      signStripe(secret),
      body,
      {
        reason: "secret_missing",
      },
    );
    expect([verdict, findings[0]?.code]).toEqual(["unexplained", "secret_missing"]);
    expect(next).toContain("Add the signing secret to the hook.");
  });
});
