import { createHash, createHmac } from "node:crypto";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { greet, handshakesOf, hmac, type Sent, wooCommerceAgent } from "./testing/greet.ts";

const smartcar = createRequire(import.meta.url)("smartcar");

const text = (body: string) => ({
  kind: "respond",
  response: { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body },
});
const json = (value: unknown) => ({
  kind: "respond",
  response: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  },
});
const empty = { kind: "respond", response: { status: 200, headers: {}, body: "" } };

test.each<[string, string, Sent, unknown]>([
  [
    "Meta",
    "meta",
    {
      method: "GET",
      query: "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=catchment-key",
    },
    text("1158201444"),
  ],
  ["Dropbox", "dropbox", { method: "GET", query: "challenge=abc%2Bd" }, text("abc+d")],
  ["Nylas", "nylas", { method: "GET", query: "challenge=abc" }, text("abc")],
  [
    "Microsoft Graph, decoded",
    "microsoft-graph",
    { query: "validationToken=Validation%3a+Testing+client%20reachability" },
    text("Validation: Testing client reachability"),
  ],
  [
    "X",
    "x",
    { method: "GET", query: "crc_token=c&nonce=1" },
    json({ response_token: `sha256=${hmac("base64", "c")}` }),
  ],
  [
    "eBay, over challenge, verify token and URL",
    "ebay",
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
    "braintree",
    { method: "GET", query: "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53" },
    text(
      `c4vx3p2tgkyvqbrn|${createHmac("sha1", "the secret").update("20f9f8ed05f77439fe955c977e4c8a53").digest("hex")}`,
    ),
  ],
  [
    "Okta",
    "okta",
    { method: "GET", headers: { "x-okta-verification-challenge": "once" } },
    json({ verification: "once" }),
  ],
  [
    "Slack",
    "slack",
    { body: { type: "url_verification", token: "t", challenge: "3eZbrw1aB" } },
    text("3eZbrw1aB"),
  ],
  [
    "MCP Events",
    "mcp-events",
    { body: { type: "verification", challenge: "3eZbrw1aB" } },
    json({ challenge: "3eZbrw1aB" }),
  ],
  ["monday", "monday", { body: { challenge: "c" } }, json({ challenge: "c" })],
  [
    "Twitch",
    "twitch",
    {
      headers: { "twitch-eventsub-message-type": "webhook_callback_verification" },
      body: { challenge: "pogchamp" },
    },
    text("pogchamp"),
  ],
  [
    "Event Grid",
    "azure-event-grid",
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
    "cloudevents",
    { method: "OPTIONS", headers: { "webhook-request-origin": "eventemitter.example.com" } },
    {
      kind: "respond",
      response: {
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
    "zoom",
    { body: { event: "endpoint.url_validation", payload: { plainToken: "q" } } },
    json({ plainToken: "q", encryptedToken: hmac("hex", "q") }),
  ],
  ["a Discord interaction", "discord", { body: { type: 1 } }, json({ type: 1 })],
  [
    "the ping of Discord's webhook events",
    "discord",
    { body: { version: 1, application_id: "1234560123453231555", type: 0 } },
    { kind: "respond", response: { status: 204, headers: {}, body: "" } },
  ],
  ["Trello", "trello", { method: "HEAD" }, empty],
  ["Mandrill", "mandrill", { method: "HEAD" }, empty],
  ["Mailchimp", "mailchimp", { method: "GET" }, empty],
  ["Xero", "xero", { body: { events: [], entropy: "x" } }, empty],
  ["WooCommerce", "woocommerce", { headers: wooCommerceAgent, body: "webhook_id=12" }, empty],
  ["Google channels", "google-channels", { headers: { "x-goog-resource-state": "sync" } }, empty],
  [
    "Asana",
    "asana",
    { headers: { "x-hook-secret": "b537207f20cbfa02" } },
    {
      kind: "keepSecret",
      secret: "b537207f20cbfa02",
      response: { status: 200, headers: { "x-hook-secret": "b537207f20cbfa02" }, body: "" },
    },
  ],
  [
    "Notion",
    "notion",
    { body: { verification_token: "secret_tMrlL1qK5vuQAh1b6c" } },
    { kind: "keepSecret", secret: "secret_tMrlL1qK5vuQAh1b6c", response: empty.response },
  ],
  [
    "Amazon SNS",
    "aws-sns",
    {
      body: {
        Type: "SubscriptionConfirmation",
        SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
      },
    },
    {
      kind: "confirmUrl",
      url: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
      response: empty.response,
    },
  ],
  [
    "SNS saying goodbye, which is not confirmed back",
    "aws-sns",
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
    "linkedin",
    { method: "GET", query: "challengeCode=890e4665-4dfe-4ab1-b689-ed553bceeed0" },
    json({
      challengeCode: "890e4665-4dfe-4ab1-b689-ed553bceeed0",
      challengeResponse: hmac("hex", "890e4665-4dfe-4ab1-b689-ed553bceeed0"),
    }),
  ],
  [
    "Strava",
    "strava",
    {
      method: "GET",
      query: "hub.mode=subscribe&hub.challenge=15f7d1a91c1f40f8&hub.verify_token=catchment-key",
    },
    json({ "hub.challenge": "15f7d1a91c1f40f8" }),
  ],
  [
    "RingCentral",
    "ringcentral",
    { headers: { "validation-token": "f4b1a7e0-52c4" }, body: "" },
    {
      kind: "respond",
      response: { status: 200, headers: { "validation-token": "f4b1a7e0-52c4" }, body: "" },
    },
  ],
  [
    "Adobe Acrobat Sign",
    "adobe-sign",
    { method: "GET", headers: { "x-adobesign-clientid": "BGBQIIE7H253K6" } },
    {
      kind: "respond",
      response: { status: 200, headers: { "x-adobesign-clientid": "BGBQIIE7H253K6" }, body: "" },
    },
  ],
  [
    "Smartcar, as its package does",
    "smartcar",
    { body: { eventId: "e", eventType: "VERIFY", data: { challenge: "3a5c8f72-e6d9" } } },
    json({ challenge: smartcar.hashChallenge("the secret", "3a5c8f72-e6d9") }),
  ],
  ["Circle", "circle", { method: "HEAD" }, empty],
])("%s is answered as it wants", (_name, provider, sent, expected) => {
  expect(greet(handshakesOf(provider), sent)).toEqual(expected);
});
