import { expect, test } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { sampleSecret, sampleSettings } from "#lib/core/verify/testing/test-sample.ts";
import { verifySignature } from "#lib/core/verify/verify.ts";
import { buildSample, listSampleTypes, type Sample } from "./build-sample.ts";
import { writeContent } from "./draft.ts";
import { sampleIndex } from "./sample-index.ts";
import { canSign, signSample } from "./sign-sample.ts";

const nowMs = 1_700_000_000_123;
const url = "https://hooks.example/catch/acme/k3y";
let seed = 0;
/** Different bytes each time, but the same in every run. */
function randomBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed >> 16;
  });
}

function sampleOf(provider: string, eventType?: string): Sample {
  const sample = buildSample({ provider, eventType, nowMs, randomBytes });
  if (sample === null) throw new Error(`no sample of ${eventType}`);
  return sample;
}

const typesOf = (id: string) =>
  listSampleTypes(id).length === 0 ? [undefined] : listSampleTypes(id);

test.each(listProviders().filter(({ scheme }) => canSign(scheme)))(
  "$id: a sample is signed like the provider's, and verified",
  ({ id, scheme }) => {
    const secret = sampleSecret(scheme, id).pasted;
    const settings = sampleSettings(scheme);
    for (const type of typesOf(id)) {
      const options = { method: "POST", url, nowMs, id: "msg_1", settings };
      const signed = signSample(scheme, secret, sampleOf(id, type), options);
      if (signed === null) throw new Error("not signed");
      const query = new URL(signed.url).search.slice(1);
      const request = requestOf(signed.headers, signed.body, { url: signed.url, query });
      const outcomeBy = (pasted: string) =>
        verifySignature({ scheme, secrets: [pasted], settings, request, nowMs }).outcome;
      const other = sampleSecret(scheme, `${id} other`).pasted;
      expect([type, outcomeBy(secret), outcomeBy(other)]).toEqual([type, "verified", "failed"]);
    }
  },
);

test.each(listProviders().filter(({ id }) => sampleIndex.has(id)))(
  "$id: a sample says its type and has an id of its own each time",
  (provider) => {
    for (const type of listSampleTypes(provider.id)) {
      const make = () => identify(provider, sampleOf(provider.id, type));
      const [one, two] = [make(), make()];
      expect(one.keyHash).not.toBeNull();
      expect(one.keyHash).not.toEqual(two.keyHash);
      if (provider.eventType.length > 0) expect(one.type).not.toBeNull();
    }
  },
);

function identify({ eventId, eventType }: Provider, sample: Sample) {
  const { content } = sample;
  const { body, contentType } = writeContent(content);
  // The signer makes the id beside the signature.
  const headers = { "webhook-id": [crypto.randomUUID()], "svix-id": [crypto.randomUUID()] };
  const own = Object.fromEntries(
    Object.entries(sample.headers).map(([name, value]) => [name, [value]]),
  );
  const request = {
    headers: { ...headers, ...own },
    body,
    payload: readPayload(body, contentType),
  };
  return { ...identifyEvent(eventId, request), type: readEventType(eventType, request) };
}
test("every sample belongs to a known provider and has lowercase headers", () => {
  for (const [id, events] of sampleIndex) {
    expect([id, findProvider(id)?.id]).toEqual([id, id]);
    expect(new Set(events.map(({ type }) => type)).size).toBe(events.length);
    for (const { type } of events)
      for (const name of Object.keys(sampleOf(id, type).headers))
        expect(name).toBe(name.toLowerCase());
  }
});

test("samples only contain example addresses or the provider's own", () => {
  for (const [id, events] of sampleIndex) {
    for (const { type } of events) {
      const text = JSON.stringify(sampleOf(id, type).content);
      for (const [address] of text.matchAll(/[\w.+-]+@[\w.-]+/g))
        expect(address).toMatch(/[.@]example(\.com|\.org|\.net)?$|@github\.com$/);
    }
  }
});

test("a type without a sample is null; the generic sample accepts any", () => {
  const make = (provider: string, eventType: string) =>
    buildSample({ provider, eventType, nowMs, randomBytes });
  expect(make("stripe", "nothing.happened")).toBeNull();
  expect(make("generic", "nothing.happened")).toMatchObject({
    content: { json: { type: "nothing.happened" } },
  });
});
