import { createHash, createHmac } from "node:crypto";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findProvider, listProviders } from "#lib/core/catalog/catalog.ts";
import { readPayload } from "#lib/core/payload/read-payload.ts";
import { answerHandshake, type HandshakeOutcome } from "./answer-handshake.ts";
import { findHandshake, sortHandshakes } from "./find-handshake.ts";
import type { Handshake } from "./handshake.ts";
import type { HandshakeRequest } from "./read-field.ts";
import { takesVerifyToken, toVerifyToken } from "./verify-token.ts";

const smartcar = createRequire(import.meta.url)("smartcar");

const knowledge = {
  verifyToken: "catchment-key",
  catchUrl: "https://hooks.example/catch/acme/key",
  key: Buffer.from("the secret"),
  settings: { publicKey: "c4vx3p2tgkyvqbrn" },
};

type Sent = { method?: string; query?: string; headers?: Record<string, string>; body?: unknown };

function toRequest({ method = "POST", query = "", headers = {}, body }: Sent): HandshakeRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
  const distinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  return { method, query, headers: distinct, payload: readPayload(Buffer.from(text), type) };
}

function greet(handshakes: readonly Handshake[], sent: Sent, known = {}): HandshakeOutcome | null {
  const request = toRequest(sent);
  const found = findHandshake(handshakes, request);
  return found === null ? null : answerHandshake(found, request, { ...knowledge, ...known });
}

const handshakesOf = (id: string) => findProvider(id)?.handshakes ?? [];

const hmac = (encoding: "hex" | "base64", text: string) =>
  createHmac("sha256", "the secret").update(text).digest(encoding);
const text = (body: string) => ({
  kind: "answer",
  answer: { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body },
});
const json = (value: unknown) => ({
  kind: "answer",
  answer: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  },
});
const wooCommerceAgent = { "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.8)" };
const empty = { kind: "answer", answer: { status: 200, headers: {}, body: "" } };

test.each<[string, readonly Handshake[], Sent, unknown]>([
  [
    "Meta",
    handshakesOf("meta"),
    {
      method: "GET",
      query: "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=catchment-key",
    },
    text("1158201444"),
  ],
  [
    "Dropbox",
    handshakesOf("dropbox"),
    { method: "GET", query: "challenge=abc%2Bd" },
    text("abc+d"),
  ],
  ["Nylas", handshakesOf("nylas"), { method: "GET", query: "challenge=abc" }, text("abc")],
  [
    "Microsoft Graph, decoded",
    handshakesOf("microsoft-graph"),
    { query: "validationToken=Validation%3a+Testing+client%20reachability" },
    text("Validation: Testing client reachability"),
  ],
  [
    "X",
    handshakesOf("x"),
    { method: "GET", query: "crc_token=c&nonce=1" },
    json({ response_token: `sha256=${hmac("base64", "c")}` }),
  ],
  [
    "eBay, over challenge, verify token and URL",
    handshakesOf("ebay"),
    { method: "GET", query: "challenge_code=a8628072" },
    json({
      challengeResponse: createHash("sha256")
        .update("a8628072")
        .update("catchment-key")
        .update("https://hooks.example/catch/acme/key")
        .digest("hex"),
    }),
  ],
  [
    "Braintree, as its package does",
    handshakesOf("braintree"),
    { method: "GET", query: "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53" },
    text(
      `c4vx3p2tgkyvqbrn|${createHmac("sha1", "the secret").update("20f9f8ed05f77439fe955c977e4c8a53").digest("hex")}`,
    ),
  ],
  [
    "Okta",
    handshakesOf("okta"),
    { method: "GET", headers: { "x-okta-verification-challenge": "once" } },
    json({ verification: "once" }),
  ],
  [
    "Slack",
    handshakesOf("slack"),
    { body: { type: "url_verification", token: "t", challenge: "3eZbrw1aB" } },
    text("3eZbrw1aB"),
  ],
  ["monday", handshakesOf("monday"), { body: { challenge: "c" } }, json({ challenge: "c" })],
  [
    "Twitch",
    handshakesOf("twitch"),
    {
      headers: { "twitch-eventsub-message-type": "webhook_callback_verification" },
      body: { challenge: "pogchamp" },
    },
    text("pogchamp"),
  ],
  [
    "Event Grid",
    handshakesOf("azure-event-grid"),
    {
      body: [
        {
          eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
          data: { validationCode: "512d" },
        },
      ],
    },
    json({ validationResponse: "512d" }),
  ],
  [
    "CloudEvents",
    handshakesOf("cloudevents"),
    { method: "OPTIONS", headers: { "webhook-request-origin": "eventemitter.example.com" } },
    {
      kind: "answer",
      answer: {
        status: 200,
        headers: {
          allow: "POST",
          "webhook-allowed-origin": "eventemitter.example.com",
          "webhook-allowed-rate": "*",
        },
        body: "",
      },
    },
  ],
  [
    "Zoom",
    handshakesOf("zoom"),
    { body: { event: "endpoint.url_validation", payload: { plainToken: "q" } } },
    json({ plainToken: "q", encryptedToken: hmac("hex", "q") }),
  ],
  ["a Discord interaction", handshakesOf("discord"), { body: { type: 1 } }, json({ type: 1 })],
  [
    "the ping of Discord's webhook events",
    handshakesOf("discord"),
    { body: { version: 1, application_id: "1234560123453231555", type: 0 } },
    { kind: "answer", answer: { status: 204, headers: {}, body: "" } },
  ],
  ["Trello", handshakesOf("trello"), { method: "HEAD" }, empty],
  ["Mandrill", handshakesOf("mandrill"), { method: "HEAD" }, empty],
  ["Mailchimp", handshakesOf("mailchimp"), { method: "GET" }, empty],
  ["Xero", handshakesOf("xero"), { body: { events: [], entropy: "x" } }, empty],
  [
    "WooCommerce",
    handshakesOf("woocommerce"),
    { headers: wooCommerceAgent, body: "webhook_id=12" },
    empty,
  ],
  [
    "Google channels",
    handshakesOf("google-channels"),
    { headers: { "x-goog-resource-state": "sync" } },
    empty,
  ],
  [
    "Asana",
    handshakesOf("asana"),
    { headers: { "x-hook-secret": "b537207f20cbfa02" } },
    {
      kind: "keepSecret",
      secret: "b537207f20cbfa02",
      answer: { status: 200, headers: { "x-hook-secret": "b537207f20cbfa02" }, body: "" },
    },
  ],
  [
    "Notion",
    handshakesOf("notion"),
    { body: { verification_token: "secret_tMrlL1qK5vuQAh1b6c" } },
    { kind: "keepSecret", secret: "secret_tMrlL1qK5vuQAh1b6c", answer: empty.answer },
  ],
  [
    "Amazon SNS",
    handshakesOf("aws-sns"),
    {
      body: {
        Type: "SubscriptionConfirmation",
        SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
      },
    },
    {
      kind: "confirmUrl",
      url: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
      answer: empty.answer,
    },
  ],
  [
    "SNS saying goodbye, which is not confirmed back",
    handshakesOf("aws-sns"),
    {
      body: {
        Type: "UnsubscribeConfirmation",
        SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
      },
    },
    empty,
  ],
  [
    "LinkedIn",
    handshakesOf("linkedin"),
    { method: "GET", query: "challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0" },
    json({
      challengeCode: "890e4665-4dfe-4ab1-b689-ed553bceeed0",
      challengeResponse: hmac("hex", "890e4665-4dfe-4ab1-b689-ed553bceeed0"),
    }),
  ],
  [
    "Strava",
    handshakesOf("strava"),
    {
      method: "GET",
      query: "hub.mode=subscribe&hub.challenge=15f7d1a91c1f40f8&hub.verify_token=catchment-key",
    },
    json({ "hub.challenge": "15f7d1a91c1f40f8" }),
  ],
  [
    "RingCentral",
    handshakesOf("ringcentral"),
    { headers: { "validation-token": "f4b1a7e0-52c4" }, body: "" },
    {
      kind: "answer",
      answer: { status: 200, headers: { "validation-token": "f4b1a7e0-52c4" }, body: "" },
    },
  ],
  [
    "Adobe Acrobat Sign",
    handshakesOf("adobe-sign"),
    { method: "GET", headers: { "x-adobesign-clientid": "BGBQIIE7H253K6" } },
    {
      kind: "answer",
      answer: { status: 200, headers: { "x-adobesign-clientid": "BGBQIIE7H253K6" }, body: "" },
    },
  ],
  [
    "Smartcar, as its package does",
    handshakesOf("smartcar"),
    { body: { eventId: "e", eventType: "VERIFY", data: { challenge: "3a5c8f72-e6d9" } } },
    json({ challenge: smartcar.hashChallenge("the secret", "3a5c8f72-e6d9") }),
  ],
  ["Circle", handshakesOf("circle"), { method: "HEAD" }, empty],
])("%s is answered as it wants", (_name, handshakes, sent, expected) => {
  expect(greet(handshakes, sent)).toEqual(expected);
});

describe("what is a delivery is no handshake", () => {
  test.each<[string, readonly Handshake[], Sent]>([
    [
      "a GET of Meta without a mode",
      handshakesOf("meta"),
      { method: "GET", query: "hub.challenge=1" },
    ],
    ["a POST to Dropbox", handshakesOf("dropbox"), { query: "challenge=1" }],
    [
      "a challenge that comes twice",
      handshakesOf("dropbox"),
      { method: "GET", query: "challenge=1&challenge=2" },
    ],
    [
      "an event of Slack",
      handshakesOf("slack"),
      { body: { type: "event_callback", challenge: "c" } },
    ],
    [
      "an event of monday",
      handshakesOf("monday"),
      { body: { challenge: "c", event: { type: "x" } } },
    ],
    [
      "a signed delivery of Notion",
      handshakesOf("notion"),
      {
        headers: { "x-notion-signature": "sha256=1" },
        body: { verification_token: "secret_1234" },
      },
    ],
    [
      "a signed form of WooCommerce",
      handshakesOf("woocommerce"),
      { headers: { ...wooCommerceAgent, "x-wc-webhook-signature": "s" }, body: "webhook_id=1" },
    ],
    [
      "a WooCommerce delivery whose signature is empty",
      handshakesOf("woocommerce"),
      { headers: { ...wooCommerceAgent, "x-wc-webhook-signature": "" }, body: "webhook_id=1" },
    ],
    [
      "a WooCommerce delivery with a topic",
      handshakesOf("woocommerce"),
      {
        headers: { ...wooCommerceAgent, "x-wc-webhook-topic": "order.created" },
        body: "webhook_id=1",
      },
    ],
    [
      "a form with more in it than a WooCommerce ping",
      handshakesOf("woocommerce"),
      { headers: wooCommerceAgent, body: "webhook_id=1&order=7" },
    ],
    [
      "a webhook_id that WooCommerce never has",
      handshakesOf("woocommerce"),
      { headers: wooCommerceAgent, body: "webhook_id=wh_1" },
    ],
    [
      "someone else's form with a webhook_id",
      handshakesOf("woocommerce"),
      { body: "webhook_id=1" },
    ],
    ["events of Xero", handshakesOf("xero"), { body: { events: [{}] } }],
    [
      "a webhook event of Discord, which has the type of a ping",
      handshakesOf("discord"),
      {
        body: {
          version: 1,
          application_id: "1234560123453231555",
          type: 1,
          event: {
            type: "APPLICATION_AUTHORIZED",
            timestamp: "2024-10-18T14:42:53.064834",
            data: {},
          },
        },
      },
    ],
    [
      "a command of Discord",
      handshakesOf("discord"),
      { body: { id: "845027738276462632", type: 2, token: "t", version: 1, data: {} } },
    ],
    ["a type that is text", handshakesOf("discord"), { body: { type: [1] } }],
    [
      "an event of RingCentral that repeats the token of its subscription",
      handshakesOf("ringcentral"),
      {
        headers: { "validation-token": "hello-world" },
        body: { uuid: "1", event: "/restapi/v1.0" },
      },
    ],
    ["a POST of Adobe", handshakesOf("adobe-sign"), { headers: { "x-adobesign-clientid": "a" } }],
    ["OPTIONS without an origin", handshakesOf("cloudevents"), { method: "OPTIONS" }],
  ])("%s", (_name, handshakes, sent) => {
    expect(greet(handshakes, sent)).toBeNull();
  });
});

describe("refused", () => {
  const meta = "hub.mode=subscribe&hub.challenge=1";
  test.each<[string, readonly Handshake[], Sent, string, object?]>([
    [
      "another verify token of Strava",
      handshakesOf("strava"),
      { method: "GET", query: `${meta}&hub.verify_token=x` },
      "verify_token_mismatch",
    ],
    [
      "a challenge of LinkedIn that is no UUID",
      handshakesOf("linkedin"),
      { method: "GET", query: "challengeCode=hmacsha256%3D%7B%7D" },
      "challenge_malformed",
    ],
    [
      "a body as the challenge of Smartcar",
      handshakesOf("smartcar"),
      { body: { eventType: "VERIFY", data: { challenge: '{"eventId":"forged"}' } } },
      "challenge_malformed",
    ],
    [
      "no verify token",
      handshakesOf("meta"),
      { method: "GET", query: meta },
      "verify_token_mismatch",
    ],
    [
      "another verify token",
      handshakesOf("meta"),
      { method: "GET", query: `${meta}&hub.verify_token=x` },
      "verify_token_mismatch",
    ],
    [
      "markup",
      handshakesOf("dropbox"),
      { method: "GET", query: "challenge=%3Cscript%3E" },
      "challenge_malformed",
    ],
    [
      "a line break",
      handshakesOf("dropbox"),
      { method: "GET", query: "challenge=a%0Ab" },
      "challenge_malformed",
    ],
    [
      "letters beyond ASCII",
      handshakesOf("dropbox"),
      { method: "GET", query: "challenge=%C3%A4" },
      "challenge_malformed",
    ],
    [
      "1,025 characters",
      handshakesOf("dropbox"),
      { method: "GET", query: `challenge=${"a".repeat(1025)}` },
      "challenge_malformed",
    ],
    [
      "a challenge that is an object",
      handshakesOf("zoom"),
      { body: { event: "endpoint.url_validation", payload: { plainToken: {} } } },
      "challenge_malformed",
    ],
    [
      "no secret to compute with",
      handshakesOf("zoom"),
      { body: { event: "endpoint.url_validation", payload: { plainToken: "q" } } },
      "secret_missing",
      { key: null },
    ],
    [
      "no secret for a challenge-response check",
      handshakesOf("x"),
      { method: "GET", query: "crc_token=c" },
      "secret_missing",
      { key: null },
    ],
    [
      "a secret with white space in it",
      handshakesOf("asana"),
      { headers: { "x-hook-secret": "a b c d e f" } },
      "secret_malformed",
    ],
  ])("%s", (_name, handshakes, sent, reason, known) => {
    expect(greet(handshakes, sent, known)).toMatchObject({ kind: "refused", reason });
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
      kind: "refused",
      reason: "confirm_url_refused",
    });
  });
});

test("what one has to look at decides when it is looked for", () => {
  const phases = (handshakes: readonly Handshake[]) => {
    const sorted = sortHandshakes(handshakes);
    return [sorted?.unread.length, sorted?.unsigned.length, sorted?.signed.length];
  };
  expect(phases(handshakesOf("meta"))).toEqual([1, 0, 0]);
  expect(phases(handshakesOf("asana"))).toEqual([1, 0, 0]);
  expect(phases(handshakesOf("notion"))).toEqual([0, 1, 0]);
  expect(phases(handshakesOf("azure-event-grid"))).toEqual([1, 0, 1]);
  expect(sortHandshakes([])).toBeNull();
  expect(sortHandshakes(undefined)).toBeNull();
});

test("before the secret is there only those are answered that compute nothing with it", () => {
  const all = listProviders().flatMap(({ handshakes }) => handshakes ?? []);
  for (const handshake of all.filter((known) => known.isAnsweredWhilePending === true)) {
    expect(handshake.proof).toBe("signature");
    expect(handshake.reply.kind).toBe("answer");
    expect(JSON.stringify(handshake.reply)).not.toContain("hmac");
  }
});

test("the verify token is what eBay takes, whatever the hook's key", () => {
  const shortest = toVerifyToken("0".repeat(26));
  const longest = toVerifyToken(`${"p".repeat(40)}-${"0".repeat(26)}`);
  for (const token of [shortest, longest]) expect(token).toMatch(/^[A-Za-z0-9_-]{32,80}$/);
  expect(takesVerifyToken(handshakesOf("meta"))).toBe(true);
  expect(takesVerifyToken(handshakesOf("ebay"))).toBe(true);
  expect(takesVerifyToken(handshakesOf("slack"))).toBe(false);
});

test("property: no request makes it throw, and no answer holds markup or a line break that came from outside", () => {
  const anything = fc.record({
    method: fc.constantFrom("GET", "HEAD", "POST", "OPTIONS"),
    query: fc.oneof(fc.webQueryParameters(), fc.string()),
    headers: fc.dictionary(
      fc.constantFrom("x-hook-secret", "x-okta-verification-challenge", "webhook-request-origin"),
      fc.string({ unit: "binary" }),
    ),
    body: fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom("url_verification", 1),
        challenge: fc.string({ unit: "binary" }),
      }),
      fc.record({ verification_token: fc.string({ unit: "binary" }) }),
    ),
  });
  const all = listProviders().flatMap(({ handshakes }) => handshakes ?? []);
  fc.assert(
    fc.property(anything, (sent) => {
      const outcome = greet(all, sent);
      if (outcome === null || outcome.kind === "refused") return;
      const { headers, body } = outcome.answer;
      expect([body, ...Object.values(headers)].join(" ")).toMatch(/^[\x20-\x3b\x3d\x3f-\x7e]*$/);
    }),
  );
});

test.each([
  ["X", handshakesOf("x"), "crc_token", '{"tweet_create_events":[]}'],
  ["X, in a form", handshakesOf("x"), "crc_token", "id=5"],
  ["Braintree", handshakesOf("braintree"), "bt_challenge", "<notification/>"],
  [
    "Braintree, in base64",
    handshakesOf("braintree"),
    "bt_challenge",
    btoa("<notification><kind>check</kind>"),
  ],
])("%s: nobody is told the MAC of what could be an event", (_name, handshakes, parameter, body) => {
  const query = `${parameter}=${encodeURIComponent(body)}`;
  expect(greet(handshakes, { method: "GET", query })).toMatchObject({
    reason: "challenge_malformed",
  });
});

test("what a handshake is answered with besides the secret has to be there", () => {
  const sent = { method: "GET", query: "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53" };
  expect(greet(handshakesOf("braintree"), sent, { settings: {} })).toMatchObject({
    reason: "setting_missing",
  });
});
