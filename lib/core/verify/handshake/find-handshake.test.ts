import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { sortHandshakes } from "./find-handshake.ts";
import type { Handshake } from "./handshake.ts";
import { greet, handshakesOf, type Sent, wooCommerceAgent } from "./testing/greet.ts";

describe("a delivery isn't a handshake", () => {
  test.each<[string, string, Sent]>([
    ["a GET of Meta without a mode", "meta", { method: "GET", query: "hub.challenge=1" }],
    ["a POST to Dropbox", "dropbox", { query: "challenge=1" }],
    [
      "a challenge that comes twice",
      "dropbox",
      { method: "GET", query: "challenge=1&challenge=2" },
    ],
    ["an event of MCP Events", "mcp-events", { body: { type: "gap", challenge: "c" } }],
    ["an event of Slack", "slack", { body: { type: "event_callback", challenge: "c" } }],
    ["an event of monday", "monday", { body: { challenge: "c", event: { type: "x" } } }],
    [
      "a signed delivery of Notion",
      "notion",
      {
        headers: { "x-notion-signature": "sha256=1" },
        body: { verification_token: "secret_1234" },
      },
    ],
    [
      "a signed form of WooCommerce",
      "woocommerce",
      { headers: { ...wooCommerceAgent, "x-wc-webhook-signature": "s" }, body: "webhook_id=1" },
    ],
    [
      "a WooCommerce delivery whose signature is empty",
      "woocommerce",
      { headers: { ...wooCommerceAgent, "x-wc-webhook-signature": "" }, body: "webhook_id=1" },
    ],
    [
      "a WooCommerce delivery with a topic",
      "woocommerce",
      {
        headers: { ...wooCommerceAgent, "x-wc-webhook-topic": "order.created" },
        body: "webhook_id=1",
      },
    ],
    [
      "a form with more in it than a WooCommerce ping",
      "woocommerce",
      { headers: wooCommerceAgent, body: "webhook_id=1&order=7" },
    ],
    [
      "a webhook_id that WooCommerce never has",
      "woocommerce",
      { headers: wooCommerceAgent, body: "webhook_id=wh_1" },
    ],
    ["someone else's form with a webhook_id", "woocommerce", { body: "webhook_id=1" }],
    ["events of Xero", "xero", { body: { events: [{}] } }],
    [
      "a webhook event of Discord, which has the type of a ping",
      "discord",
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
      "discord",
      { body: { id: "845027738276462632", type: 2, token: "t", version: 1, data: {} } },
    ],
    ["a type that is text", "discord", { body: { type: [1] } }],
    [
      "an event of RingCentral that repeats the token of its subscription",
      "ringcentral",
      {
        headers: { "validation-token": "hello-world" },
        body: { uuid: "1", event: "/restapi/v1.0" },
      },
    ],
    ["a POST of Adobe", "adobe-sign", { headers: { "x-adobesign-clientid": "a" } }],
    ["OPTIONS without an origin", "cloudevents", { method: "OPTIONS" }],
  ])("%s", (_name, provider, sent) => {
    expect(greet(handshakesOf(provider), sent)).toBeNull();
  });
});

test("the parts that a handshake needs decide when it is recognized", () => {
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

test("before the secret is there, only responses without it are given", () => {
  const all = listProviders().flatMap(({ handshakes }) => handshakes ?? []);
  for (const handshake of all.filter((known) => known.respondsWhilePending === true)) {
    expect(handshake.proof).toBe("signature");
    expect(handshake.reply.kind).toBe("respond");
    expect(JSON.stringify(handshake.reply)).not.toContain("hmac");
  }
});

test("property: no request makes it throw, and no response contains foreign markup or line breaks", () => {
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
      if (outcome === null || outcome.kind === "rejected") return;
      const { headers, body } = outcome.response;
      expect([body, ...Object.values(headers)].join(" ")).toMatch(/^[\x20-\x3b\x3d\x3f-\x7e]*$/);
    }),
  );
});
