import twilio from "twilio";
import { describe, expect, it } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { identifyEvent } from "#lib/core/verify/dedupe/identify-event.ts";
import { schemeOf } from "#lib/core/verify/testing/scheme-of.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { findProvider } from "./catalog.ts";

const secret = "12345";
const verify = prepareVerifier({ scheme: schemeOf("twilio"), secrets: [secret] });

/** Calls a hook with GET like Twilio: everything is in the URL. */
function call(fields: string, token?: string) {
  const url = `https://hooks.example/catch/acme/k3y?${fields}`;
  const headers = {
    "x-twilio-signature": twilio.getExpectedTwilioSignature(secret, url, {}),
    ...(token === undefined ? {} : { "i-twilio-idempotency-token": token }),
  };
  const request = requestOf(headers, "", { url, method: "GET", query: fields });
  expect(verify(request, 0).outcome).toBe("verified");
  const rule = findProvider("twilio")?.eventId ?? [];
  const found = identifyEvent(rule, { ...request, payload: readPayload(request.body, null) });
  return { key: found.keyHash?.toString("hex"), seconds: found.withinSeconds };
}

describe("a GET from Twilio", () => {
  it("without a token is one event with its retry, for a minute", () => {
    expect(call("CallSid=CA1&Digits=1")).toEqual(call("CallSid=CA1&Digits=1"));
    expect(call("CallSid=CA1&Digits=1")).toMatchObject({ key: expect.any(String), seconds: 60 });
  });

  it("with other fields is another event", () => {
    expect(call("CallSid=CA1&Digits=2").key).not.toBe(call("CallSid=CA1&Digits=1").key);
  });

  it("has its token as its identity, if there is one", () => {
    const [one, again, other] = ["t1", "t1", "t2"].map((token) => call("CallSid=CA1", token));
    expect(again).toEqual(one);
    expect(other?.key).not.toBe(one?.key);
    expect(one?.seconds).toBeUndefined();
  });
});
