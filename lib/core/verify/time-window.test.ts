import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { findWindow } from "./scheme/scheme.ts";
import { signRequest } from "./sign.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { nowMs, stripeRequest } from "./testing/stripe-request.ts";
import { requestOf } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("the window", () => {
  const at = (offsetSeconds: number, toleranceSeconds?: number) => {
    const verify = prepareVerifier({
      scheme: schemeOf("stripe"),
      secrets: [whsec],
      toleranceSeconds,
    });
    const verdict = verify(stripeRequest(whsec), nowMs + offsetSeconds * 1000);
    return verdict.outcome === "failed" ? [verdict.reason, verdict.skewSeconds] : verdict.outcome;
  };

  it("is exact to the second on both sides", () => {
    expect([at(300), at(301), at(-300), at(-301)]).toEqual([
      "verified",
      ["timestamp_too_old", 1],
      "verified",
      ["timestamp_in_future", 1],
    ]);
  });

  it("can be widened and narrowed by the hook", () => {
    expect([at(900, 900), at(901, 900), at(10, 5)]).toEqual([
      "verified",
      ["timestamp_too_old", 1],
      ["timestamp_too_old", 5],
    ]);
  });

  it("a clock that isn't a number rejects", () => {
    expect(at(Number.NaN)).toEqual(["timestamp_too_old", null]);
  });

  it("a wrong signature is reported as wrong, however old", () => {
    const verdict = prepareVerifier({ scheme: schemeOf("stripe"), secrets: [whsec] })(
      stripeRequest("x"),
      nowMs * 2,
    );
    expect(verdict).toMatchObject({ reason: "signature_mismatch" });
  });

  it("linear's time is read from the signed body, never from its header", () => {
    const scheme = schemeOf("linear");
    const outcomeOf = (content: string) => {
      const body = Buffer.from(content);
      const headers = {
        ...signRequest(scheme, "s", { body, timestampMs: nowMs }),
        "linear-timestamp": String(nowMs),
      };
      const verdict = prepareVerifier({ scheme, secrets: ["s"] })(requestOf(headers, body), nowMs);
      return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
    };
    expect(outcomeOf(`{"webhookTimestamp":${nowMs}}`)).toBe("verified");
    expect(outcomeOf(`{"webhookTimestamp":${nowMs - 61_000}}`)).toBe("timestamp_too_old");
    expect(outcomeOf('{"webhookTimestamp":1.5}')).toBe("timestamp_missing");
    expect(outcomeOf('{"webhookTimestamp":"soon"}')).toBe("timestamp_malformed");
    expect(outcomeOf('{"__proto__":{"webhookTimestamp":1}}')).toBe("timestamp_missing");
    expect(outcomeOf("not json")).toBe("timestamp_missing");
  });
});

describe("a hook's own tolerance", () => {
  const stamped = listProviders().filter(({ scheme }) => findWindow(scheme) !== null);

  it("exists for every provider that rejects by time", () => {
    const enforced = listProviders().filter(({ id, scheme }) => {
      const secret = sampleSecret(scheme, id);
      const settings = sampleSettings(scheme);
      const verify = prepareVerifier({ scheme, secrets: [secret.pasted], settings });
      const year = 365 * 86_400_000;
      const verdict = verify(
        sampleRequest(scheme, secret.signing, nowMs),
        nowMs + year,
        sampleKeys,
      );
      return verdict.outcome === "failed";
    });
    expect(enforced.map(({ id }) => id)).toEqual(stamped.map(({ id }) => id));
  });

  it.each(stamped.map(({ id, scheme }) => [id, scheme] as const))(
    "%s: replaces the window on both sides, to the second",
    (id, scheme) => {
      const secret = sampleSecret(scheme, id);
      const request = sampleRequest(scheme, secret.signing, nowMs);
      const settings = sampleSettings(scheme);
      const at = (offset: number, toleranceSeconds?: number) =>
        prepareVerifier({ scheme, secrets: [secret.pasted], settings, toleranceSeconds })(
          request,
          nowMs + offset * 1000,
          sampleKeys,
        ).outcome;
      const { pastSeconds = 0, from } = findWindow(scheme) ?? {};
      // Expiring samples expire a minute after they are made.
      const end = from === "expiry" ? 60 : 0;
      expect([at(end + pastSeconds), at(end + pastSeconds + 1)]).toEqual(["verified", "failed"]);
      expect([at(end + 20_000, 20_000), at(end + 20_001, 20_000)]).toEqual(["verified", "failed"]);
      expect([at(end + 3, 3), at(end + 4, 3)]).toEqual(["verified", "failed"]);
    },
  );
});
