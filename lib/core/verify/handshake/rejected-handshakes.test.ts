import { describe, expect, test } from "vitest";
import { greet, handshakesOf, type Sent } from "./testing/greet.ts";

describe("rejected", () => {
  const meta = "hub.mode=subscribe&hub.challenge=1";
  test.each<[string, string, Sent, string, object?]>([
    [
      "another verify token of Strava",
      "strava",
      { method: "GET", query: `${meta}&hub.verify_token=x` },
      "verify_token_mismatch",
    ],
    [
      "a challenge of LinkedIn that is no UUID",
      "linkedin",
      { method: "GET", query: "challengeCode=hmacsha256%3D%7B%7D" },
      "challenge_malformed",
    ],
    [
      "a body as the challenge of Smartcar",
      "smartcar",
      { body: { eventType: "VERIFY", data: { challenge: '{"eventId":"forged"}' } } },
      "challenge_malformed",
    ],
    ["no verify token", "meta", { method: "GET", query: meta }, "verify_token_mismatch"],
    [
      "another verify token",
      "meta",
      { method: "GET", query: `${meta}&hub.verify_token=x` },
      "verify_token_mismatch",
    ],
    [
      "markup",
      "dropbox",
      { method: "GET", query: "challenge=%3Cscript%3E" },
      "challenge_malformed",
    ],
    ["a line break", "dropbox", { method: "GET", query: "challenge=a%0Ab" }, "challenge_malformed"],
    [
      "letters beyond ASCII",
      "dropbox",
      { method: "GET", query: "challenge=%C3%A4" },
      "challenge_malformed",
    ],
    [
      "1,025 characters",
      "dropbox",
      { method: "GET", query: `challenge=${"a".repeat(1025)}` },
      "challenge_malformed",
    ],
    [
      "a challenge that is an object",
      "zoom",
      { body: { event: "endpoint.url_validation", payload: { plainToken: {} } } },
      "challenge_malformed",
    ],
    [
      "no secret to compute with",
      "zoom",
      { body: { event: "endpoint.url_validation", payload: { plainToken: "q" } } },
      "secret_missing",
      { key: null },
    ],
    [
      "no secret for a challenge-response check",
      "x",
      { method: "GET", query: "crc_token=c" },
      "secret_missing",
      { key: null },
    ],
    [
      "a secret with white space in it",
      "asana",
      { headers: { "x-hook-secret": "a b c d e f" } },
      "secret_malformed",
    ],
  ])("%s", (_name, provider, sent, reason, known) => {
    expect(greet(handshakesOf(provider), sent, known)).toMatchObject({ kind: "rejected", reason });
  });

  test.each([
    "http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
    "https://sns.eu-west-1.amazonaws.com.evil.example/",
    "https://sns.eu-west-1.amazonaws.com:8443/",
    "https://user@sns.eu-west-1.amazonaws.com/",
    "https://evil.example/sns.eu-west-1.amazonaws.com",
    "https://evil.example/?x=https://sns.eu-west-1.amazonaws.com/",
    "https://sns.eu-west-1.amazonaws.com\\@evil.example/",
    "https://169.254.169.254/latest/meta-data",
    "javascript:alert(1)",
    "not a URL",
  ])("to confirm %s", (SubscribeURL) => {
    const sent = { body: { Type: "SubscriptionConfirmation", SubscribeURL } };
    expect(greet(handshakesOf("aws-sns"), sent)).toMatchObject({
      kind: "rejected",
      reason: "confirm_url_refused",
    });
  });
});

test.each([
  ["X", "x", "crc_token", '{"tweet_create_events":[]}'],
  ["X, in a form", "x", "crc_token", "id=5"],
  ["Braintree", "braintree", "bt_challenge", "<notification/>"],
  ["Braintree, in base64", "braintree", "bt_challenge", btoa("<notification><kind>check</kind>")],
])(
  "%s: a MAC of something that could be an event is never revealed",
  (_name, provider, parameter, body) => {
    const query = `${parameter}=${encodeURIComponent(body)}`;
    expect(greet(handshakesOf(provider), { method: "GET", query })).toMatchObject({
      reason: "challenge_malformed",
    });
  },
);

test("whatever a response needs besides the secret must be present", () => {
  const sent = { method: "GET", query: "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53" };
  expect(greet(handshakesOf("braintree"), sent, { settings: {} })).toMatchObject({
    reason: "setting_missing",
  });
});
