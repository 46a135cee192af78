/** Must hold for any request and any pasted secret. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { oneOfEachScheme, theOthers } from "#lib/core/verify/testing/one-of-each-scheme.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { sampleRequest } from "#lib/core/verify/testing/test-sample.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { diagnosisInputOf, schemeOf, secretOf } from "./testing/test-diagnosis-input.ts";
import { limits } from "./verification-budget.ts";

const providers = [
  "stripe",
  "github",
  "svix",
  "shopify",
  "slack",
  "square",
  "gitlab",
  "bearer",
  "basic-auth",
  "mailgun",
  "discord",
  "paddle",
];
/** No word in a sentence has six of these in a row, so a hit is a leak. */
const secretText = fc.string({
  unit: fc.constantFrom(..."0123456789#%+/=_ \n\"'"),
  minLength: 6,
  maxLength: 60,
});

const headerName = fc.oneof(
  fc.constantFrom(
    "stripe-signature",
    "x-hub-signature-256",
    "svix-signature",
    "svix-id",
    "svix-timestamp",
    "x-signature",
    "authorization",
    "user-agent",
    "host",
    "content-encoding",
    "content-md5",
    "digest",
    "via",
    "x-forwarded-host",
    "__proto__",
    "constructor",
  ),
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/),
);
// Text as Node decodes it. The unit "binary" takes seconds to prepare.
const byte = fc.nat(255).map((code) => String.fromCharCode(code));
const headerValue = fc.oneof(
  fc.string({ unit: byte, maxLength: 80 }),
  fc.constantFrom("t=1,v1=ab", "v1,", `sha256=${"a".repeat(64)}`, "gzip", "[redacted]", "curl/8"),
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
  fc
    .constantFrom("[".repeat(9000), '{"body":"x"}', "payload=%7B%7D", "\ufeff{}", '{"a":"\\ud800"}')
    .map((text) => Buffer.from(text)),
);
const request = fc
  .record({
    headers: fc.array(fc.tuple(headerName, fc.array(headerValue, { minLength: 1, maxLength: 3 })), {
      maxLength: 8,
    }),
    body,
    url: fc.oneof(fc.webUrl(), fc.string()),
    method: fc.string({ maxLength: 10 }),
    query: fc.string({ maxLength: 40 }),
  })
  .map(
    ({ headers, ...rest }): VerifyRequest => ({
      ...requestOf(Object.fromEntries(headers), rest.body),
      ...rest,
    }),
  );

function findLeak(diagnosis: Diagnosis, secrets: readonly string[]): string | null {
  const shown = JSON.stringify(diagnosis);
  for (const secret of secrets) {
    for (let at = 0; at + 6 <= secret.length; at += 1) {
      const piece = secret.slice(at, at + 6);
      // White space alone leaks nothing.
      if (
        piece.trim() !== "" &&
        (shown.includes(piece) || shown.includes(JSON.stringify(piece).slice(1, -1)))
      )
        return piece;
    }
  }
  return null;
}

describe("any request", () => {
  it("a diagnosis stays within its limits and leaks no six characters of any secret", () => {
    fc.assert(
      fc.property(
        request,
        fc.constantFrom(...providers),
        fc.array(secretText, { maxLength: 3 }),
        secretText,
        (received, provider, texts, foreign) => {
          const secrets = texts.map((text, index) =>
            secretOf(text, {
              id: `s${index}`,
              isCurrent: index === 0,
              expiredAtMs: index === 2 ? 0 : null,
            }),
          );
          const otherHooks = [
            { name: "Other", scheme: schemeOf("stripe"), settings: {}, secrets: [foreign] },
          ];
          const diagnosis = diagnose(
            diagnosisInputOf({ provider }, received, { secrets, otherHooks }),
          );
          expect(diagnosis.tried).toBeLessThanOrEqual(limits.maxTries + 2);
          expect(findLeak(diagnosis, [...texts, foreign])).toBeNull();
        },
      ),
      { numRuns: 150 },
    );
  });

  it("nor if the signature is right except for a mistake with the secret, which gives a long text", () => {
    const slips = fc.constantFrom<(text: string) => string>(
      (text) => `${text}\n`,
      (text) => `"${text}"`,
      (text) => `12_${text}`,
      (text) => `12_12_${text}`,
      (text) => `A=${text}`,
      (text) => text + text,
      (text) => Buffer.from(text).toString("hex"),
      (text) => Buffer.from(text).toString("base64"),
      (text) => encodeURIComponent(text),
    );
    const scheme = schemeOf("stripe");
    fc.assert(
      fc.property(
        secretText.filter((text) => text.trim().length > 5),
        slips,
        (text, slip) => {
          const signed = sampleRequest(scheme, text, 1_700_000_000_000);
          const diagnosis = diagnose(
            diagnosisInputOf({ provider: "stripe", secret: slip(text) }, signed),
          );
          expect(findLeak(diagnosis, [text, slip(text)])).toBeNull();
        },
      ),
      { numRuns: 150 },
    );
  });

  it("nor the expected signature", () => {
    const scheme = schemeOf("github");
    const right = sampleRequest(scheme, "the right one", 1_700_000_000_000);
    const expected = (right.headers["x-hub-signature-256"]?.[0] ?? "").slice("sha256=".length);
    const wrong = {
      ...right,
      headers: requestOf({ "x-hub-signature-256": `sha256=${"0".repeat(64)}` }, "").headers,
    };
    const diagnosis = diagnose(
      diagnosisInputOf({ provider: "github", secret: "the right one" }, wrong),
    );
    expect(diagnosis.verdict).toBe("unexplained");
    expect(findLeak(diagnosis, [expected])).toBeNull();
  });
});

const values = ["", "Bearer x", "0".repeat(64)];
const hooks = (providers: readonly Provider[]) =>
  values.flatMap((value) => providers.map((provider) => ({ ...provider, value })));

function expectUnexplained({ id, scheme, value }: Provider & { readonly value: string }): void {
  const headers = value === "" ? {} : { authorization: value, "x-unknown": value };
  const hook = { provider: id, scheme, secret: "nobody:0123456789" };
  expect(diagnose(diagnosisInputOf(hook, requestOf(headers, "{}"))).verdict).toBe("unexplained");
}

describe("no provider makes it throw", () => {
  it.each(hooks(oneOfEachScheme))("$id, with the header $value", expectUnexplained);
  it.each(hooks(theOthers))("$id, with the header $value", { tags: "variant" }, expectUnexplained);
});

it("a large body stops at the byte limit and reports an incomplete diagnosis", () => {
  const body = Buffer.alloc(8 * 1024 * 1024, "x");
  const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  const secrets = Array.from({ length: 10 }, (_, index) =>
    secretOf(`secret ${index} of ten`, { id: `s${index}` }),
  );
  const diagnosis = diagnose(
    diagnosisInputOf({ provider: "github" }, requestOf(headers, body), { secrets }),
  );
  expect(diagnosis).toMatchObject({ verdict: "unexplained", isComplete: false });
  // The first hashes the body once for each of the ten secrets.
  const hashings = limits.maxHashedBytes / body.byteLength;
  expect(diagnosis.tried).toBeGreaterThan(hashings - 20);
  expect(diagnosis.tried).toBeLessThan(hashings + 500);
});
