/** Cases that Hook0's published examples (`vectors.json`) don't show: captured deliveries that were changed. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { hook0Scheme } from "./hook0.ts";

const nowMs = 1_700_000_000_000;
const seconds = nowMs / 1000;
const secret = "a3d5c0de-2f51-4b0e-9a53-0c5e4f5d7a10";
const body = '{"eventType":"onramp.transaction.success","value":"5.00"}';
const sent = {
  "content-type": "application/json",
  "x-event-id": "1a01cb48-5142-4d9b-8f90-d20cca61f0ee",
  "x-event-type": "onramp.transaction.success",
};
const mac = (text: string) => createHmac("sha256", secret).update(text).digest("hex");

/** The header as Hook0 makes it, written out so that the two sides don't share code. */
function sign(headers: Record<string, string>, at = seconds): string {
  const names = Object.keys(headers).join(" ");
  const v1 = mac(`${at}.${names}.${Object.values(headers).join(".")}.${body}`);
  return `t=${at},v0=${mac(`${at}.${body}`)},h=${names},v1=${v1}`;
}

function outcome(
  headers: Record<string, string | string[]>,
  { signature = sign(sent), text = body, key = secret } = {},
) {
  const scheme = hook0Scheme(["x-event-id", "x-event-type"]);
  const request = requestOf({ ...headers, "x-hook0-signature": signature }, text);
  const verdict = prepareVerifier({ scheme, secrets: [key] })(request, nowMs);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("a captured delivery", () => {
  const { "x-event-type": type, ...withoutType } = sent;
  const { "content-type": _type, ...withoutContentType } = sent;

  it.each<[string, Record<string, string | string[]>, string]>([
    ["as it was sent", sent, "verified"],
    ["with a header that isn't signed", { ...sent, "x-forwarded-for": "::1" }, "verified"],
    ["with another id", { ...sent, "x-event-id": "another" }, "signature_mismatch"],
    ["with another type", { ...sent, "x-event-type": "a.b.c" }, "signature_mismatch"],
    ["without its type", withoutType, "header_missing"],
    ["without its content type", withoutContentType, "header_missing"],
    ["with two ids", { ...sent, "x-event-id": ["1", "2"] }, "header_repeated"],
    // The same text is signed: only the place of its dots differs.
    [
      "with the end of its id in its type",
      { ...sent, "x-event-id": "x", "x-event-type": `y.${type}` },
      "value_malformed",
    ],
    [
      "with a part of its type as its id",
      {
        "content-type": `application/json.${sent["x-event-id"]}`,
        "x-event-id": "onramp",
        "x-event-type": "transaction.success",
      },
      "value_malformed",
    ],
  ])("%s is %s", (_what, headers, expected) => {
    expect(outcome(headers)).toBe(expected);
  });

  it("with the start of its body in its type is rejected", () => {
    const [start, text] = body.split(".00") as [string, string];
    const headers = { ...sent, "x-event-type": `${type}.${start}` };
    expect(outcome(headers, { text: `00${text}` })).toBe("value_malformed");
  });

  it("is rejected by another secret, and after five minutes", () => {
    expect(outcome(sent, { key: "another" })).toBe("signature_mismatch");
    expect(outcome(sent, { signature: sign(sent, seconds - 300) })).toBe("verified");
    expect(outcome(sent, { signature: sign(sent, seconds - 301) })).toBe("timestamp_too_old");
    expect(outcome(sent, { signature: sign(sent, seconds + 301) })).toBe("timestamp_in_future");
  });
});

describe("the signature", () => {
  const v0 = mac(`${seconds}.${body}`);
  const zeros = "0".repeat(64);

  it.each([
    ["v0 alone, which covers no header", `t=${seconds},v0=${v0}`, "signature_missing"],
    ["v1 without a list", `t=${seconds},v1=${v0}`, "signature_malformed"],
    ["no time", sign(sent).replace(/^t=\d+,/, ""), "timestamp_missing"],
    ["two times", `t=1,${sign(sent)}`, "signature_malformed"],
    ["two lists", `h=x-event-id,${sign(sent)}`, "signature_malformed"],
    ["two signatures", `v1=${zeros},${sign(sent)}`, "signature_malformed"],
    ["upper-case names", sign({ ...sent, "X-Custom": "1" }), "signature_malformed"],
    ["a name that isn't one", sign({ ...sent, "x custom:": "1" }), "signature_malformed"],
    ["two spaces", sign(sent).replace("type x", "type  x"), "signature_malformed"],
    ["a name twice", sign(sent).replace("h=", "h=x-event-id "), "signature_malformed"],
    [
      "more than 64 names",
      sign(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, "1"]))),
      "signature_malformed",
    ],
    ["a header that wasn't sent", sign({ ...sent, "x-custom": "1" }), "header_missing"],
  ])("%s is rejected", (_what, signature, reason) => {
    expect(outcome(sent, { signature })).toBe(reason);
  });

  it("must cover the id and the type, or they could be added and changed", () => {
    const { "content-type": type } = sent;
    const signature = sign({ "content-type": type });
    expect(outcome({ "content-type": type }, { signature })).toBe("verified");
    for (const name of ["x-event-id", "x-event-type"])
      expect(outcome({ "content-type": type, [name]: "a.b.c" }, { signature })).toBe(
        "header_unexpected",
      );
  });
});
