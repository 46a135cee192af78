import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { recognizeProvider } from "./recognize-provider.ts";
import { suggestProvider } from "./suggest-provider.ts";

type Result = "recognized" | "ambiguous" | "not recognized" | "wrong";

/** All samples use the nonce of one provider. */
const nonce = "x-plivo-signature-v2-nonce";

function recognizeSample(id: string, request: VerifyRequest): Result {
  const suggestion = suggestProvider(request);
  if (suggestion === null) return "not recognized";
  if (suggestion.isClear) return suggestion.id === id ? "recognized" : "wrong";
  const ranked = recognizeProvider(request);
  const own = ranked.find((guess) => guess.id === id);
  return own !== undefined && (ranked[0]?.score ?? 0) - own.score < 3 ? "ambiguous" : "wrong";
}

describe("a signed sample of every provider in the catalog, with nothing but its proof", () => {
  const results = listProviders().map(({ id, scheme }) => {
    const request = sampleRequest(scheme, sampleSecret(scheme, id).signing, 1_700_000_000_000);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => id === "plivo" || name !== nonce),
    );
    return { id, result: recognizeSample(id, { ...request, headers }) };
  });
  const of = (wanted: Result) =>
    results.filter(({ result }) => result === wanted).map(({ id }) => id);

  it("none is mistaken for another", () => {
    expect(of("wrong")).toEqual([]);
  });

  it("two thirds are recognized; the others share their headers, or have none", () => {
    expect(of("recognized").length).toBeGreaterThanOrEqual(105);
    expect(of("recognized").length + of("ambiguous").length).toBeGreaterThanOrEqual(
      results.length * 0.8,
    );
    const nameless = ["authorization", "query"];
    const schemes = listProviders().filter(({ id }) => of("not recognized").includes(id));
    // Credentials in `Authorization`, a token in the URL, or a field that anyone may have.
    for (const { scheme } of schemes) {
      const source =
        "source" in scheme
          ? scheme.source
          : "signature" in scheme
            ? scheme.signature.sources[0]
            : null;
      const isNameless =
        source === null ||
        source === undefined ||
        source.from !== "header" ||
        nameless.includes(source.name);
      expect(isNameless).toBe(true);
    }
  });
});

describe("complete deliveries", () => {
  const suggest = (headers: Record<string, string>, body: unknown) =>
    suggestProvider(requestOf(headers, JSON.stringify(body)));
  const hex = "0".repeat(64);
  const base64 = Buffer.alloc(32).toString("base64");
  const standard = (prefix: string) => ({
    [`${prefix}-id`]: "msg_1",
    [`${prefix}-timestamp`]: "1700000000",
    [`${prefix}-signature`]: `v1,${base64}`,
  });

  it.each([
    [
      "stripe",
      {
        "Stripe-Signature": `t=1700000000,v1=${hex}`,
        "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      },
      { id: "evt_1NG8Du2eZvKYlo2C", livemode: false },
    ],
    [
      "github",
      {
        "X-Hub-Signature-256": `sha256=${hex}`,
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": "1",
      },
      { ref: "x" },
    ],
    ["github", { "X-GitHub-Event": "ping", "User-Agent": "GitHub-Hookshot/044aadd" }, { zen: "x" }],
    ["meta", { "X-Hub-Signature-256": `sha256=${hex}` }, { object: "page", entry: [] }],
    [
      "bitbucket",
      { "X-Hub-Signature": `sha256=${hex}`, "X-Event-Key": "repo:push", "X-Request-UUID": "1" },
      {},
    ],
    [
      "intercom",
      { "X-Hub-Signature": `sha1=${"0".repeat(40)}` },
      { type: "notification_event", topic: "x" },
    ],
    ["clerk", standard("svix"), { type: "user.created", data: { object: "user" } }],
    ["resend", standard("svix"), { type: "email.sent", data: {} }],
    ["openai", standard("webhook"), { type: "response.completed", data: {} }],
    ["gocardless", { "Webhook-Signature": hex }, { events: [] }],
    [
      "coinbase-cdp",
      {
        "X-Hook0-Signature": `t=1700000000,v0=${hex},h=x-event-id x-event-type,v1=${hex}`,
        "X-Event-Id": "1",
        "X-Event-Type": "wallet.activity.detected",
      },
      { eventType: "wallet.activity.detected" },
    ],
    [
      "lemon-squeezy",
      { "X-Signature": hex, "X-Event-Name": "order_created" },
      { meta: { event_name: "order_created" } },
    ],
    ["hubspot-v2", { "X-HubSpot-Signature": hex, "X-HubSpot-Signature-Version": "v2" }, {}],
    // Providers without signatures, or with one in the body or in a redacted header.
    [
      "adyen",
      {},
      {
        live: "false",
        notificationItems: [
          {
            NotificationRequestItem: {
              eventCode: "AUTHORISATION",
              pspReference: "7914073381342284",
            },
          },
        ],
      },
    ],
    [
      "google-pubsub",
      { Authorization: "Bearer x" },
      {
        message: { data: "eyJhIjoxfQ==", messageId: "2070443601311540" },
        subscription: "projects/my-project/subscriptions/push",
      },
    ],
    [
      "checkout-com",
      {},
      {
        id: "evt_az5sblvku4ge3dwpztvyizgcau",
        type: "payment_approved",
        version: "1.0.0",
        data: { id: "pay_mbabizu24mvu3mela5njyhpit4" },
      },
    ],
    [
      "stripe",
      {},
      { id: "evt_1NG8Du2eZvKYlo2CUI79vXWy", object: "event", type: "invoice.paid", livemode: true },
    ],
    [
      "brevo",
      {},
      { event: "opened", id: 7, "message-id": "<1@mail.example>", ts_event: 1700000000 },
    ],
    ["brevo", {}, { event: "delivered", id: 7, camp_id: 11, ts_event: 1700000000 }],
    ["bigcommerce", {}, { scope: "store/order/created", data: { type: "order", id: 250 } }],
    ["supabase", {}, { type: "UPDATE", table: "orders", schema: "public", record: { id: 1 } }],
    ["okta", {}, { eventType: "com.okta.event_hook", eventId: "1", data: { events: [] } }],
    ["auth0", {}, [{ log_id: "90020230126121002244690048186607762971591195832157732866" }]],
    ["pipedrive", {}, { v: 1, meta: { host: "acme.pipedrive.com", action: "updated" } }],
    ["pipedrive", {}, { meta: { entity: "deal", webhook_id: "789", action: "change" }, data: {} }],
    [
      "airwallex",
      {},
      { id: "evt_1", name: "payment_intent.succeeded", account_id: "acct_1", data: { object: {} } },
    ],
    [
      "persona",
      {},
      { data: { type: "event", attributes: { name: "x", payload: { data: { id: "inq_1" } } } } },
    ],
    ["easypost", {}, { id: "evt_1", object: "Event", description: "tracker.updated", result: {} }],
    ["telegram", {}, { update_id: 123456789, callback_query: { id: "1", data: "buy" } }],
    [
      "polar",
      { ...standard("webhook"), "User-Agent": "polar.sh webhooks" },
      { type: "order.paid", data: {} },
    ],
  ] as const)("%s", (id, headers, body) => {
    expect(suggest(headers, body)).toMatchObject({ id, isClear: true, alternatives: [] });
  });

  it("mailchimp, whose body is a form", () => {
    const form = "type=subscribe&fired_at=2026-01-02+10%3A00%3A00&data%5Bid%5D=8a25ff1d98";
    expect(suggestProvider(requestOf({}, form))).toMatchObject({
      id: "mailchimp",
      isClear: true,
      why: ["its form has a fired_at as Mailchimp's have", "its type is one of Mailchimp's"],
    });
  });

  it.each([
    [{ id: "evt_1NG8Du2eZvKYlo2C", type: "user.created" }],
    [{ id: "evt_1NG8Du2eZvKYlo2C", type: "user.created", livemode: true }],
    [{ id: "evt_az5sblvku4ge3dwpztvyizgcau", type: "user.created" }],
    [{ webhook_code: "X", webhook_id: "1", type: "x" }],
  ])("a single weak mark is never clear: %j", (body) => {
    expect(suggest({}, body)?.isClear ?? false).toBe(false);
  });

  it("livemode says nothing about who sent it", () => {
    expect(suggest({}, { object: "event", livemode: true })).toBeNull();
    expect(suggest({ "User-Agent": "Acme" }, { id: "1", type: "x", livemode: true })).toBeNull();
  });

  it("says why, strongest first", () => {
    const headers = { "Stripe-Signature": `t=1700000000,v1=${hex}` };
    expect(suggest(headers, { id: "evt_1NG8Du2eZvKYlo2C", livemode: true })?.why).toEqual([
      "it has the header Stripe-Signature",
      "its id starts with evt_",
    ]);
  });

  it("if many sign alike, their family comes first and the others beside it", () => {
    expect(suggest(standard("svix"), { any: "thing" })).toMatchObject({
      id: "svix",
      isClear: false,
      alternatives: [{ id: "clerk" }, { id: "resend" }, { id: "stytch" }, { id: "brex" }],
    });
    expect(suggest(standard("webhook"), {})).toMatchObject({
      id: "standard-webhooks",
      isClear: false,
    });
    expect(suggest({ "X-Signature": hex }, {})).toMatchObject({ isClear: false });
  });

  it("a header with one provider's name and another's format is not the first provider's", () => {
    expect(suggest({ "X-Hub-Signature-256": hex }, {})).toBeNull();
    expect(
      recognizeProvider(requestOf({ "Webhook-Signature": hex }, "{}")).map(({ id }) => id),
    ).not.toContain("standard-webhooks");
  });

  it.each([
    [{}, { id: "evt_1", type: "x" }],
    [{ authorization: "Bearer x" }, {}],
    [{ "User-Agent": "Stripe/1.0" }, {}],
    [{ "idempotency-key": "1", "x-request-id": "2" }, {}],
  ] as const)("too little gives no provider: %j", (headers, body) => {
    expect(suggest(headers, body)).toBeNull();
  });

  it("never throws and never takes long, whatever arrives", () => {
    const names = listProviders().flatMap(({ eventId }) =>
      eventId.flatMap((source) => (source.from === "header" ? [source.name] : [])),
    );
    // Text as Node decodes it. The unit "binary" takes seconds to prepare.
    const byte = fc.nat(255).map((code) => String.fromCharCode(code));
    const headers = fc.dictionary(
      fc.oneof(fc.constantFrom(...names), fc.string()),
      fc.string({ unit: byte }),
    );
    fc.assert(
      fc.property(
        headers,
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (sent, body) => {
          expect(recognizeProvider(requestOf(sent, body)).length).toBeLessThanOrEqual(
            listProviders().length,
          );
        },
      ),
      { numRuns: 40 },
    );
  });
});
