/**
 * Every provider of the catalog through the catch endpoint, over HTTP: a signed request is
 * accepted; with one bit flipped or another secret it is rejected. Both are recorded. Where the
 * provider has its own package, that package signs.
 */
import { createPublicKey } from "node:crypto";
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { computeSignature, signRequest } from "#lib/core/verify/sign.ts";
import { codeProviderPackages } from "#lib/core/verify/testing/code-packages.ts";
import { oneOfEachScheme, theOthers } from "#lib/core/verify/testing/one-of-each-scheme.ts";
import type { Headers } from "#lib/core/verify/testing/provider-package.ts";
import { spoilHeaders } from "#lib/core/verify/testing/test-malformed.ts";
import { packageText, providerPackages } from "#lib/core/verify/testing/test-packages.ts";
import { flipBit } from "#lib/core/verify/testing/test-request.ts";
import {
  sampleKeys,
  sampleRequest,
  sampleSecret,
  sampleSettings,
} from "#lib/core/verify/testing/test-sample.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";
import { flipBits, pickOtherSecret, type Wire } from "#server/testing/wrong-requests.ts";

// Keys that providers publish, as if they had been fetched.
const bench = withCatch({ signingKeys: { find: sampleKeys, load: async () => true } });
afterAll(() => agent.destroy());

/** The response's status, and the stored delivery. */
async function deliver(hook: TestHook, { headers, body, query }: Wire) {
  const list = Object.entries(headers).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const path = query === "" ? hook.path : `${hook.path}?${query}`;
  const before = await bench.db.delivery.findFirst({
    where: { hookId: hook.id },
    orderBy: { id: "desc" },
  });
  const response = await send(bench.caught.port, path, {
    body: new Uint8Array(body),
    headers: list,
  });
  // A batch comes before its events.
  const isNew = before === null ? {} : { id: { gt: before.id } };
  const stored = await bench.db.delivery.findFirst({
    where: { hookId: hook.id, ...isNew },
    orderBy: { id: "asc" },
  });
  return { status: response.status, text: response.text, stored };
}

function listOf(headers: Headers): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}

function firstOf(headers: VerifyRequest["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, [value = ""] = []]) => [name, value]),
  );
}

function publicHalf(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Posts with Node's own client, which sends a header twice where `fetch` would join them. Returns
 * the status, or 0 for a closed connection.
 */
function post(path: string, { headers, body, query }: Wire, agent: Agent | false): Promise<number> {
  const url = `http://127.0.0.1:${bench.caught.port}${path}${query === "" ? "" : `?${query}`}`;
  const all = { "content-length": body.length, ...headers } as OutgoingHttpHeaders;
  return new Promise((resolve) => {
    const request = httpRequest(url, { method: "POST", headers: all, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    request.once("error", () => resolve(0)).end(body);
  });
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function sizeOf({ headers }: Wire): number {
  return Object.values(headers).reduce((size, values) => size + (values?.join("").length ?? 0), 0);
}

function testProvider(provider: Provider): void {
  const { id, scheme } = provider;
  const secret = sampleSecret(scheme, id);
  const settings = sampleSettings(scheme);
  const addSigned = (signingSecret: string) =>
    addHook(bench.db, {
      provider: id,
      ...(takesSecret(scheme) ? { signingSecret } : {}),
      ...(Object.keys(settings).length === 0 ? {} : { verification: { settings } }),
    });
  const sign = ({ path }: TestHook, text = "Zoë ☃", signing = secret.signing) =>
    sampleRequest(scheme, signing, Date.now(), text, `https://hooks.example${path}`);

  test("a signed request is accepted, and with one bit flipped or another secret it is rejected", async () => {
    const hook = await addSigned(secret.pasted);
    const request = sign(hook);
    const good = await deliver(hook, request);
    expect([good.status, good.stored?.status, good.stored?.verificationOutcome]).toEqual([
      expect.toSatisfy(isSuccess),
      expect.stringMatching(/^(accepted|batch)$/),
      "verified",
    ]);

    for (const [place, turned] of flipBits(scheme, request, secret)) {
      const rejected = await deliver(hook, turned);
      const { status, verificationOutcome, reason } = rejected.stored ?? {};
      expect([place, rejected.status, status, verificationOutcome]).toEqual([
        place,
        401,
        "rejected",
        "failed",
      ]);
      // A bit in the name of a key or in a list of signed headers changes it.
      expect(reason).toMatch(
        /_(mismatch|malformed|too_old|in_future|unexpected)$|^(key_unknown|header_missing)$/,
      );
      expect(rejected.text).not.toContain(secret.signing);
    }

    const other = pickOtherSecret(provider);
    const mismatched = await addSigned(other.pasted);
    const rejected = await deliver(mismatched, sign(mismatched, "Zoë ☃", other.signing));
    expect([rejected.status, rejected.stored?.status]).toEqual([401, "rejected"]);
    expect(rejected.stored?.reason).toMatch(/_mismatch$/);
  });

  test("malformed headers are rejected and never cause a server error", async () => {
    const hook = await addSigned(secret.pasted);
    const request = sign(hook);
    for (const [title, headers] of spoilHeaders(scheme, request)) {
      const spoiled = { ...request, headers };
      // Headers over 16 KiB are not read at all, and a client that is still writing may miss the
      // response.
      const isLarge = sizeOf(spoiled) > 15_000;
      const status = await post(hook.path, spoiled, isLarge ? false : agent);
      expect([title, isLarge ? [0, 431].includes(status) : status]).toEqual([
        title,
        isLarge ? true : 401,
      ]);
    }
    expect(await post(hook.path, request, agent)).toSatisfy(isSuccess);
  });

  const code = codeProviderPackages[id];
  if (code !== undefined) {
    const { signs, accepts } = code;
    const pasted = takesSecret(scheme) ? secret.pasted : publicHalf(secret.signing);

    test(`what ${code.name} ${signs === undefined ? "accepts" : "signs"} is accepted`, async () => {
      const hook = await addSigned(secret.pasted);
      const ours = sign(hook, "Zoe");
      const text = Buffer.from(ours.body).toString("utf8");
      const made = signs?.(pasted, settings, ours.url, text) ?? {
        ...ours,
        headers: firstOf(ours.headers),
      };
      const { url, headers, body } = made;
      const delivery = {
        url,
        headers,
        text: Buffer.from(body).toString("utf8"),
        secret: pasted,
        settings,
      };
      expect(await accepts(delivery)).not.toBe(false);
      const query = url.split("?")[1] ?? "";
      const { stored } = await deliver(hook, { headers: listOf(headers), body, query });
      expect([stored?.status, stored?.verificationOutcome]).toEqual([
        expect.stringMatching(/^(accepted|batch)$/),
        "verified",
      ]);
    });
  }

  const { name, signs, accepts } = providerPackages[id] ?? {};
  async function expectOnlyExactBytes(text: string, made: Headers) {
    const body = Buffer.from(text);
    const hook = await addSigned(secret.pasted);
    const headers = listOf(made);
    const good = await deliver(hook, { headers, body, query: "" });
    expect([good.stored?.status, good.stored?.verificationOutcome]).toEqual([
      "accepted",
      "verified",
    ]);
    const turned = await deliver(hook, { headers, body: flipBit(body, 77), query: "" });
    expect([turned.status, turned.stored?.reason]).toEqual([401, "signature_mismatch"]);
  }

  if (signs !== undefined) {
    test(`what ${name} signs is accepted, and with one bit flipped it is rejected`, async () => {
      const nowMs = Date.now();
      const text = packageText(nowMs);
      await expectOnlyExactBytes(text, await signs({ text, secret: secret.pasted, nowMs }));
    });
  } else if (accepts !== undefined) {
    test(`what ${name} accepts is accepted, and with one bit flipped it is rejected`, async () => {
      const nowMs = Date.now();
      const text = packageText(nowMs);
      const headers = signRequest(scheme, secret.signing, {
        body: Buffer.from(text),
        timestampMs: nowMs,
        id: "msg_1",
      });
      expect(await accepts({ text, headers, secret: secret.pasted, nowMs })).not.toBe(false);
      await expectOnlyExactBytes(text, headers);
    });
  }
}

/** A signature inside the body needs a body of its own: `identity.test.ts` makes those. */
function identifiesByContent({ eventId, scheme }: Provider): boolean {
  return (
    eventId.some(({ from }) => from === "content") &&
    "signed" in scheme &&
    scheme.signature.sources.every(({ from }) => from !== "body")
  );
}

async function expectDuplicate({ id, scheme }: Provider): Promise<void> {
  const secret = sampleSecret(scheme, id);
  const hook = await addHook(bench.db, { provider: id, signingSecret: secret.pasted });
  const states = [];
  for (const [secondsAgo, note] of [
    [2, "one"],
    [1, "one"],
    [0, "two"],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ note }));
    const input = {
      body,
      timestampMs: Date.now() - secondsAgo * 1000,
      url: `https://hooks.example${hook.path}`,
    };
    const { headers, query } = sign(scheme, secret.signing, {
      ...input,
      id: "msg_1",
      method: "POST",
      headers: { "klaviyo-timestamp": new Date(input.timestampMs).toISOString() },
    });
    states.push((await deliver(hook, { headers, body, query })).stored?.status);
  }
  expect(states).toEqual(["accepted", "duplicate", "accepted"]);
}

/** Puts the signature in its place in the scheme: in headers or in the URL. */
function sign(scheme: Scheme, secret: string, input: Parameters<typeof signRequest>[2]) {
  const place = "signature" in scheme ? scheme.signature.sources[0] : undefined;
  if (place?.from === "query" && "signed" in scheme)
    return { headers: {}, query: `${place.name}=${computeSignature(scheme, secret, input)}` };
  const signed = Object.entries(signRequest(scheme, secret, input));
  return { headers: Object.fromEntries(signed.map(([name, value]) => [name, [value]])), query: "" };
}

describe.each([
  ["one of each scheme", oneOfEachScheme, {}],
  ["the others", theOthers, { tags: "variant" }],
] as const)("%s", (_name, providers, options) => {
  describe.each(providers)("$id", options, testProvider);
  test.each(providers.filter(identifiesByContent))(
    "$id: sent or signed again it is a duplicate, and other bytes are another event",
    options,
    expectDuplicate,
  );
});
