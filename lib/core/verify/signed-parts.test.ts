/** Captured deliveries, sent again with changes that their signature alone doesn't notice. */
import { expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findReplayProtection } from "#lib/core/providers/catalog/replay-protection.ts";
import type { VerifyRequest } from "./scheme/request-view.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;

function capture(id: string, body: string) {
  const provider = findProvider(id);
  if (provider?.scheme.kind !== "code") throw new Error(`${id} has no code`);
  const { scheme } = provider;
  const { signing, pasted } = sampleSecret(scheme, id);
  const settings = sampleSettings(scheme);
  const sent = { settings, body: Buffer.from(body), timestampMs: nowMs, id: "7", url: testUrl };
  const signed = scheme.sign({ ...sent, secret: signing, method: "POST" });
  const captured = requestOf(signed.headers, signed.body);
  const verify = prepareVerifier({ scheme, secrets: [pasted], settings, tellsSigned: true });
  const send = (change: Partial<VerifyRequest>) => verify({ ...captured, ...change }, nowMs);
  expect(send({})).toMatchObject({ outcome: "verified" });
  return {
    provider,
    captured,
    text: Buffer.from(signed.body).toString(),
    send,
    sendBody: (text: string) => send({ body: Buffer.from(text) }),
  };
}

it("paddle-classic: a field that is there twice is rejected, because only the last one is signed", () => {
  const { text, sendBody } = capture("paddle-classic", "alert_id=1&amount=10");
  expect(sendBody(`alert_id=2&${text}`)).toMatchObject({ reason: "header_repeated" });
});

it("adyen: an item is rejected if its signed fields could be read as those of another event", () => {
  const item = {
    pspReference: "7914073381342284",
    merchantAccountCode: "Acme",
    merchantReference: "order:7",
    amount: { value: 1000, currency: "EUR" },
    eventCode: "AUTHORISATION",
    success: "true",
  };
  const toBody = (one: object) =>
    JSON.stringify({ notificationItems: [{ NotificationRequestItem: one }] });
  const { text, sendBody } = capture("adyen", toBody(item));
  const [signed] = JSON.parse(text).notificationItems;
  const changes = [
    { success: true },
    { pspReference: 7914073381342284 },
    {
      pspReference: "7914073381342284:",
      originalReference: "Acme",
      merchantAccountCode: "order",
      merchantReference: "7",
    },
  ];
  for (const change of changes)
    expect([
      change,
      sendBody(toBody({ ...signed.NotificationRequestItem, ...change })),
    ]).toMatchObject([change, { reason: "signature_malformed" }]);
});

it("plivo-v3: a part of the form can't become a part of the nonce, which identifies the event", () => {
  const { captured, send } = capture("plivo-v3", "Text=Hello.Bye&To=1555");
  const headers = { ...captured.headers, "x-plivo-signature-v3-nonce": ["ByeTo1555.7"] };
  expect(send({ headers, body: Buffer.from("Text=Hello") })).toMatchObject({ outcome: "failed" });
});

it("braintree: the signed payload counts, whatever else is in the form", () => {
  const { provider, text, sendBody } = capture("braintree", "<notification/>");
  const [first, again, respelled] = [text, `${text}&again=1`, text.replace(/%0A$/, "")].map(
    (changed) => {
      const verdict = sendBody(changed);
      return verdict.outcome === "verified" ? verdict.hashSigned?.() : undefined;
    },
  );
  expect(first).toBeDefined();
  expect([again, respelled]).toEqual([first, first]);
  expect(findReplayProtection(provider)).toMatchObject({ isPossible: true, isOn: true });
});
