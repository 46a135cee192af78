/** Every provider of the catalog: what its scheme signs is verified, and what was changed isn't. */
import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { findMissingPart, takesSecret } from "./scheme/missing-parts.ts";
import type { VerifyRequest } from "./scheme/request-view.ts";
import { findWindow, type Scheme } from "./scheme/scheme.ts";
import { checkSecret } from "./scheme/secret.ts";
import { flipBit, requestOf } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const providers = listProviders();
const signing = providers.filter(({ scheme }) =>
  ["mac", "publicKey", "code"].includes(scheme.kind),
);

function outcome(scheme: Scheme, pasted: string, request: VerifyRequest, atMs = nowMs) {
  const secrets = takesSecret(scheme) ? [pasted] : [];
  const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
  const verdict = verify(request, atMs, sampleKeys);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

function isBodySigned(scheme: Scheme): boolean {
  if (scheme.kind === "code") return scheme.bodyNotSigned !== true;
  return "signed" in scheme && scheme.signed.bodyNotSigned !== true;
}

/** A new secret changes nothing if the key is a pair, which all samples share. */
function hasSharedSecret(id: string, scheme: Scheme): boolean {
  if (scheme.kind === "publicKey" || !takesSecret(scheme)) return false;
  const { signing: private_, pasted } = sampleSecret(scheme, id);
  return private_ === pasted;
}

describe.each(providers)("$id", ({ id, scheme }) => {
  const secret = sampleSecret(scheme, id);
  const request = sampleRequest(scheme, secret.signing, nowMs);

  it("accepts a secret in its format, and verifies what was signed with it", () => {
    expect(checkSecret(scheme, secret.pasted).ok).toBe(takesSecret(scheme));
    expect(findMissingPart(scheme, true, sampleSettings(scheme))).toBeNull();
    expect(outcome(scheme, secret.pasted, request)).toBe("verified");
  });

  it("rejects another secret and a request without proof", () => {
    const bare = {
      ...request,
      headers: requestOf({}, "").headers,
      query: "",
      body: Buffer.from("{}"),
    };
    expect(outcome(scheme, secret.pasted, bare)).toMatch(/_missing$/);
    if (!hasSharedSecret(id, scheme)) return;
    const other = sampleSecret(scheme, `${id} other`).pasted;
    expect(outcome(scheme, other, request)).toMatch(/_mismatch$/);
  });
});

describe.each(signing.filter(({ scheme }) => isBodySigned(scheme)))("$id", ({ id, scheme }) => {
  const secret = sampleSecret(scheme, id);
  const request = sampleRequest(scheme, secret.signing, nowMs);

  it("rejects a body with one bit flipped, and one with an extra byte", () => {
    // After the form's last "=" or inside the JSON's text, so that both stay readable.
    const flipped = flipBit(request.body, (request.body.length - 4) * 8);
    const expected = scheme.kind === "code" ? /_(mismatch|malformed)$/ : /^signature_mismatch$/;
    expect(outcome(scheme, secret.pasted, { ...request, body: flipped })).toMatch(expected);
    // These sign JSON fields or reserialized JSON, so white space around it doesn't matter.
    if (id === "aws-sns" || id === "ebay" || id === "apple-app-store") return;
    const longer = Buffer.concat([request.body, Buffer.from(" ")]);
    expect(outcome(scheme, secret.pasted, { ...request, body: longer })).toMatch(expected);
  });
});

describe.each(signing)("$id", ({ id, scheme }) => {
  const secret = sampleSecret(scheme, id);
  const request = sampleRequest(scheme, secret.signing, nowMs);

  it("rejects every header that it reads with one bit flipped", () => {
    const unread = ["content-type", "x-amz-sns-message-type", "idempotency-key"];
    const names = Object.keys(request.headers).filter((name) => !unread.includes(name));
    for (const name of names) {
      const value = Buffer.from(request.headers[name]?.[0] ?? "", "latin1");
      const flipped = Buffer.from(flipBit(value, value.length * 8 - 7)).toString("latin1");
      const headers = { ...request.headers, [name]: [flipped] };
      expect([name, outcome(scheme, secret.pasted, { ...request, headers })]).not.toContain(
        "verified",
      );
    }
  });
});

describe.each(signing.filter(({ scheme }) => findWindow(scheme) !== null))(
  "$id",
  ({ id, scheme }) => {
    it("rejects outside of its window, but not at its edges", () => {
      const secret = sampleSecret(scheme, id);
      const request = sampleRequest(scheme, secret.signing, nowMs);
      const { pastSeconds, futureSeconds, from } = findWindow(scheme) ?? {
        pastSeconds: 0,
        futureSeconds: 0,
      };
      // Expiring samples expire after a minute.
      const latest = pastSeconds + (from === "expiry" ? 60 : 0);
      const at = (seconds: number) =>
        outcome(scheme, secret.pasted, request, nowMs + seconds * 1000);
      expect([at(latest), at(latest + 1)]).toEqual(["verified", "timestamp_too_old"]);
      expect([at(-futureSeconds), at(-futureSeconds - 1)]).toEqual([
        "verified",
        "timestamp_in_future",
      ]);
    });
  },
);
