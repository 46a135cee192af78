/**
 * Checks for every provider that two events stay two and one stays one, however similar they are.
 */
import { describe, expect, it } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import type { Sample } from "#lib/core/providers/samples/build-sample.ts";
import { writeContent } from "#lib/core/providers/samples/draft.ts";
import { sampleIndex } from "#lib/core/providers/samples/sample-index.ts";
import { signSample } from "#lib/core/providers/samples/sign-sample.ts";
import { createFresh } from "#lib/core/providers/shapes/fresh.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { SampleContent } from "#lib/core/providers/shapes/sample-event.ts";
import { makeConsecutive, needsLine } from "#lib/core/providers/testing/consecutive-events.ts";
import { whatDiffers } from "#lib/core/providers/testing/what-differs.ts";
import { findEvents } from "#lib/core/verify/batch/find-events.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { sampleKeys, sampleSecret, sampleSettings } from "#lib/core/verify/testing/test-sample.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { listProviders } from "./catalog.ts";

const nowMs = 1_700_000_000_123;
const url = "https://hooks.example/catch/acme/k3y";

/** Sends a request like its provider: signed, with the message's id. */
function send(
  { id, scheme }: Provider,
  content: SampleContent,
  messageId: string,
  atMs: number,
): VerifyRequest {
  const secret = sampleSecret(scheme, id).signing;
  const settings = sampleSettings(scheme);
  const sample: Sample = { eventType: "", headers: content.headers ?? {}, content };
  const options = { method: "POST", url, nowMs: atMs, id: messageId, settings };
  const signed = signSample(scheme, secret, sample, options) ?? signWithPrivateKey();
  const headers = { ...sample.headers, ...signed.headers };
  return requestOf(headers, signed.body, {
    url: signed.url,
    query: new URL(signed.url).search.slice(1),
  });

  function signWithPrivateKey() {
    const { body } = writeContent(content);
    const input = { secret, settings, body, timestampMs: atMs, id: messageId, url, method: "POST" };
    if (scheme.kind === "code") return scheme.sign(input);
    if (scheme.kind !== "publicKey") throw new Error("the scheme can't be signed");
    return { headers: signRequest(scheme, secret, input), body, url };
  }
}

/** The keys that the hook would use. An event without one is always new. */
function keysOf({ eventId, eventType, batch }: Provider, { headers, body }: VerifyRequest) {
  const contentType = headers["content-type"]?.[0] ?? "application/json";
  const rules = {
    dedupe: eventId,
    eventType,
    batch: batch ?? null,
    payloadField: null,
    isIdentitySigned: false,
    publish: null,
  };
  const found = findEvents(
    rules,
    { headers, body, payload: readPayload(body, contentType) },
    undefined,
  );
  return (found.parts ?? [found.whole]).map(({ keyHash }) => keyHash?.toString("hex") ?? null);
}

it("what-differs.ts names providers only", () => {
  const ids = new Set(listProviders().map(({ id }) => id));
  expect(Object.keys(whatDiffers).filter((id) => !ids.has(id))).toEqual([]);
});

describe.each(listProviders())("$id", (provider) => {
  const { id, scheme, eventId, eventType } = provider;
  const fresh = createFresh(nowMs, (count) => crypto.getRandomValues(new Uint8Array(count)));
  const samples = (sampleIndex.get(id) ?? []).map(({ make }) => make(fresh));
  const consecutive = makeConsecutive(provider, samples);

  it("has two consecutive events, and explains why they differ", () => {
    expect(consecutive).not.toEqual([]);
    if (needsLine(provider)) expect(whatDiffers).toHaveProperty([id]);
    expect(provider.identity.why).toMatch(/^[A-Za-z_].{20,}\.$/);
  });

  const header = eventType[0];
  const hasContent = eventId.some((source) =>
    (source.from === "all" ? source.of : [source]).some(({ from }) => from === "content"),
  );
  it.runIf(
    header?.from === "header" && (eventType.length === 1 || id === "contentful") && hasContent,
  )("equal bodies with different events in the header are two events", () => {
    const name = header?.from === "header" ? header.name : "";
    const key = (type: string) =>
      keysOf(provider, requestOf({ [name]: type }, '{"object":{"updated":1}}'));
    expect(key("object.archived")).not.toEqual(key("object.deleted"));
    expect(key("object.archived")).toEqual(key("object.archived"));
  });

  describe.each(consecutive)("by $by", ({ by, two, again }) => {
    const [first, second, retried] = [
      send(provider, two[0].content, two[0].messageId, nowMs),
      send(provider, two[1].content, two[1].messageId, nowMs),
      send(provider, again.content, again.messageId, nowMs + 61_000),
    ];

    it("each of them is signed as the provider signs", () => {
      const secrets = takesSecret(scheme) ? [sampleSecret(scheme, id).pasted] : [];
      const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
      for (const request of [first, second])
        expect(verify(request, nowMs, sampleKeys).outcome).toBe("verified");
    });

    it("two consecutive events about the same object are two events", () => {
      const [known, next] = [keysOf(provider, first), keysOf(provider, second)];
      if (by === null) expect([known, next]).toEqual([[null], [null]]);
      else expect(next[0]).not.toEqual(known[0]);
    });

    it("a retried event is one event, unless nothing identifies it", () => {
      expect(keysOf(provider, retried)).toEqual(keysOf(provider, first));
      if (by !== null) expect(keysOf(provider, first)).not.toContain(null);
    });
  });
});
