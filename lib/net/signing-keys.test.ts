import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { appleRoot, findPinnedRoots } from "#lib/core/verify/certificate/pinned-roots.ts";
import type { KeySource, SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { serveHttp, type TestServer } from "./testing/test-servers.ts";

const parsed = parseCidrList("127.0.0.0/8");
const google: KeySource = {
  format: "jwks",
  url: "https://www.googleapis.com/oauth2/v3/certs",
  keyId: "k1",
};
const certificate = (name: string): KeySource => ({
  format: "certificate",
  url: `https://sns.us-east-1.amazonaws.com/${name}.pem`,
  keyId: null,
});
/** Each is a different source, because it is fetched with different credentials. */
const otherSet = (index: number): KeySource => ({ ...google, body: `{"n":${index}}` });
const jwk = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
const keySet = (...ids: string[]) => JSON.stringify({ keys: ids.map((kid) => ({ ...jwk, kid })) });

let client: HttpClient;
let server: TestServer;
let requests: { method: string; url: string; body: string }[];
let respond: RequestListener;
let nowMs: number;
let keys: SigningKeys;

/** A real server on this machine stands in for the provider's. Only its address differs. */
beforeEach(async () => {
  requests = [];
  nowMs = 1_700_000_000_000;
  respond = (_request, response) => response.end(keySet("k1"));
  server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      requests.push({ method: request.method ?? "", url: request.url ?? "", body });
      respond(request, response);
    });
  });
  client = createHttpClient({ allow: parsed.ok ? parsed.cidrs : [] });
  keys = createSigningKeys({
    now: () => nowMs,
    client: {
      call: (request, options) => {
        const { pathname } = new URL(request.url);
        return client.call(
          { ...request, url: `http://127.0.0.1:${server.port}${pathname}` },
          options,
        );
      },
    },
  });
});
afterEach(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

const load = (source: KeySource, maxWaitMs = 5_000, hookId = "hook") =>
  keys.load(source, maxWaitMs, hookId);
const ids = (source: KeySource) => keys.find(source)?.map(({ id }) => id);

describe("providers' keys", () => {
  it("are not available before they were fetched, and then to everyone", async () => {
    expect(keys.find(google)).toBeUndefined();
    expect(await load(google)).toBe(true);
    expect(ids(google)).toEqual(["k1"]);
    expect(await load(google)).toBe(true);
    expect(requests).toEqual([{ method: "GET", url: "/oauth2/v3/certs", body: "" }]);
  });

  it("are fetched once, however many deliveries wait for them", async () => {
    const loaded = await Promise.all(Array.from({ length: 50 }, () => load(google)));
    expect(loaded.every(Boolean)).toBe(true);
    expect(requests).toHaveLength(1);
  });

  it("that come with Catchment are there at once, and never fetched", async () => {
    expect(keys.find(appleRoot)).toEqual(findPinnedRoots(appleRoot));
    expect(await load(appleRoot, 100)).toBe(false);
    const other = { ...appleRoot, url: google.url };
    expect(keys.find(other)).toEqual([]);
    expect(await load(other, 100)).toBe(true);
    expect(requests).toEqual([]);
  });

  it("are never fetched from an address that is not listed", async () => {
    for (const url of [
      "https://evil.example/certs",
      "http://www.googleapis.com/oauth2/v3/certs",
      "https://127.0.0.1/",
    ])
      expect(await load({ ...google, url })).toBe(false);
    expect(requests).toEqual([]);
  });

  it("are used for an hour, then fetched again while the old ones still count, for a day at most", async () => {
    await load(google);
    nowMs += 59 * 60_000;
    expect(ids(google)).toEqual(["k1"]);
    expect(requests).toHaveLength(1);
    nowMs += 2 * 60_000;
    respond = (_request, response) => response.end(keySet("k1", "k2"));
    expect(ids(google)).toEqual(["k1"]);
    await expect.poll(() => ids(google)).toEqual(["k1", "k2"]);
    expect(requests).toHaveLength(2);
    nowMs += 25 * 3_600_000;
    expect(keys.find(google)).toBeUndefined();
  });

  it("are fetched again if a set lacks one, but at most every half minute", async () => {
    await load(google);
    const other = { ...google, keyId: "k2" };
    expect(ids(other)).toEqual(["k1"]);
    nowMs += 31_000;
    expect(keys.find(other)).toBeUndefined();
    respond = (_request, response) => response.end(keySet("k1", "k2"));
    expect(await load(other)).toBe(true);
    expect(ids(other)).toEqual(["k1", "k2"]);
    expect(requests).toHaveLength(2);
  });

  it("that the provider doesn't have are not requested again for five minutes", async () => {
    respond = (_request, response) => response.writeHead(404).end();
    expect(await load(certificate("forged"))).toBe(true);
    expect(keys.find(certificate("forged"))).toEqual([]);
    nowMs += 4 * 60_000;
    expect(keys.find(certificate("forged"))).toEqual([]);
    nowMs += 2 * 60_000;
    expect(keys.find(certificate("forged"))).toBeUndefined();
  });

  it("are separate for other credentials", async () => {
    respond = (_request, response) => response.end(JSON.stringify({ key: { ...jwk, kid: "p" } }));
    const url = "https://production.plaid.com/webhook_verification_key/get";
    const plaid = (secret: string): KeySource => ({
      format: "plaid",
      url,
      keyId: "p",
      body: JSON.stringify({ secret }),
    });
    expect(await load(plaid("one"))).toBe(true);
    expect(keys.find(plaid("two"))).toBeUndefined();
    expect(requests).toEqual([
      { method: "POST", url: "/webhook_verification_key/get", body: '{"secret":"one"}' },
    ]);
  });
});

describe("a source that fails", () => {
  it.each<[string, RequestListener]>([
    ["an error of the server", (_request, response) => response.writeHead(500).end(keySet("k1"))],
    [
      "a redirect, which is not followed",
      (_request, response) =>
        response.writeHead(302, { location: "/oauth2/v3/other" }).end(keySet("k1")),
    ],
    ["something else than keys", (_request, response) => response.end("<html>sign in</html>")],
    ["more than 512 KiB", (_request, response) => response.end(keySet("k1").padEnd(600_000))],
    ["a connection that breaks", (_request, response) => response.destroy()],
  ])("gives no keys and is not tried again for five seconds: %s", async (_title, broken) => {
    const working = respond;
    respond = broken;
    expect(await load(google)).toBe(false);
    expect(await load(google)).toBe(false);
    expect(requests).toHaveLength(1);
    nowMs += 5_001;
    respond = working;
    expect(await load(google)).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it("keeps a delivery waiting no longer than allowed, and has the keys for later ones", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    respond = (_request, response) => void released.then(() => response.end(keySet("k1")));
    expect(await load(google, 20)).toBe(false);
    release();
    await expect.poll(() => ids(google)).toEqual(["k1"]);
    expect(requests).toHaveLength(1);
  });

  it("keeps serving known keys, unless they are too old", async () => {
    await load(google);
    respond = (_request, response) => response.writeHead(503).end();
    nowMs += 2 * 3_600_000;
    expect(ids(google)).toEqual(["k1"]);
    await expect.poll(() => requests.length).toBe(2);
    expect(ids(google)).toEqual(["k1"]);
  });

  const forge = (hookId: string, count = 80) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        load(certificate(`forged-${hookId}-${n}`), 5_000, hookId),
      ),
    );
  const serveKnown = () => {
    respond = (request, response) =>
      request.url?.startsWith("/forged")
        ? response.writeHead(404).end()
        : response.end(keySet("k1"));
  };
  const kinde: KeySource = { ...google, url: "https://acme.kinde.com/.well-known/jwks" };
  const plaid: KeySource = {
    format: "plaid",
    url: "https://production.plaid.com/webhook_verification_key/get",
    ...{ keyId: null, body: "{}" },
  };

  it("makes ten first fetches a minute for a hook, whatever certificates attackers make up", async () => {
    serveKnown();
    await forge("one");
    expect(requests).toHaveLength(10);
    await load(certificate("real"), 5_000, "one");
    expect(requests).toHaveLength(10);
    nowMs += 60_001;
    await load(certificate("real"), 5_000, "one");
    expect(requests.at(-1)?.url).toBe("/real.pem");
  });

  it.each<[string, KeySource, string, number]>([
    ["a certificate of another hook", certificate("real"), "another", 1],
    ["a key set that a setting names", kinde, "another", 1],
    ["a key set that is fetched with credentials", plaid, "another", 1],
    [
      "a certificate of another hook, after twenty attacked ones",
      certificate("real"),
      "another",
      20,
    ],
    ["a fixed address", google, "one", 1],
    ["a fixed address, after a hundred attacked hooks", google, "another", 100],
  ])("attacked hooks don't keep others from %s", async (_name, source, hookId, attacked) => {
    serveKnown();
    if (source === plaid)
      respond = (request, response) =>
        request.url?.startsWith("/forged")
          ? response.writeHead(404).end()
          : response.end(JSON.stringify({ key: { ...jwk, kid: "k1" } }));
    await forge("one");
    for (let n = 1; n < attacked; n += 1) await forge(`hook-${n}`, 11);
    expect(requests.length).toBeLessThanOrEqual(240);
    await load(source, 5_000, hookId);
    expect(requests.at(-1)?.url).toBe(new URL(source.url).pathname);
  });

  it("with made-up keys neither evicts known keys nor keeps them from being renewed", async () => {
    serveKnown();
    expect(await load(google)).toBe(true);
    await forge("first", 300);
    expect(ids(google)).toEqual(["k1"]);
    nowMs += 3_600_001;
    await forge("second", 300);
    expect(ids(google)).toEqual(["k1"]);
    await expect
      .poll(() => requests.filter(({ url }) => url.startsWith("/oauth2")))
      .toHaveLength(2);
  });

  it("keeps the latest two hundred fetched keys", async () => {
    for (let index = 0; index <= 200; index += 1, nowMs += 2_000)
      await load(otherSet(index), 5_000, `hook-${index}`);
    expect(keys.find(otherSet(0))).toBeUndefined();
    expect(ids(otherSet(1))).toEqual(["k1"]);
    expect(ids(otherSet(200))).toEqual(["k1"]);
  });
});
