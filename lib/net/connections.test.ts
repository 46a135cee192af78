import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallFailure } from "./call-failure.ts";
import { Connections } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import { createGuardedConnector } from "./guarded-connector.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { allow, get } from "./testing/test-calls.ts";
import { serveBytes, serveHttp } from "./testing/test-servers.ts";
import { withClients } from "./testing/with-clients.ts";

const clientWith = withClients();
const options = { timeoutMs: 20_000 };

let client: HttpClient;
beforeEach(() => {
  client = createHttpClient({ allow: allow("127.0.0.0/8") });
});
afterEach(async () => {
  vi.useRealTimers();
  await client.close();
});

/** Notes which connection carried which path. */
async function serveNumbered(
  onCall: (path: string, done: () => void) => void = (_, done) => done(),
) {
  const numbers = new Map<Socket, number>();
  const carried: [path: string, connection: number][] = [];
  const server = await serveHttp((req, res) => {
    const number = numbers.get(req.socket) ?? numbers.size;
    numbers.set(req.socket, number);
    carried.push([req.url ?? "", number]);
    onCall(req.url ?? "", () => res.end("ok"));
  });
  return { server, carried, url: `http://127.0.0.1:${server.port}` };
}

describe("free connections", () => {
  it("are taken last used first, so that the others can close", async () => {
    const waiting = new Map<string, () => void>();
    const { server, carried, url } = await serveNumbered((path, done) => {
      if (path.startsWith("/next")) done();
      else waiting.set(path, done);
    });
    await using _server = server;
    const calls = new Map(
      ["/a", "/b", "/c"].map((path) => [path, client.call(get(url + path), options)]),
    );
    await expect.poll(() => waiting.size).toBe(3);
    for (const path of ["/c", "/a", "/b"]) {
      waiting.get(path)?.();
      await calls.get(path);
      await setImmediate();
    }
    const numberOfB = carried.find(([path]) => path === "/b")?.[1];
    for (let count = 0; count < 5; count += 1) {
      await client.call(get(`${url}/next`), options);
      await setImmediate();
    }
    const next = carried.filter(([path]) => path === "/next").map(([, number]) => number);
    expect(next).toEqual([numberOfB, numberOfB, numberOfB, numberOfB, numberOfB]);
    expect(server.connections()).toBe(3);
  });

  it("that the receiver closes are forgotten, and not counted as open", async () => {
    const { server, url } = await serveNumbered();
    await client.call(get(url), options);
    await server[Symbol.asyncDispose]();
    await expect.poll(() => client.openSockets()).toBe(0);
    expect(await client.call(get(url), options)).toMatchObject({ error: { code: "connect" } });
  });

  it("that close before a call is written cost that call nothing, whatever its method", async () => {
    const open: Socket[] = [];
    await using server = await serveHttp((req, res) => {
      open.push(req.socket);
      res.end("ok");
    });
    const post = { ...get(`http://127.0.0.1:${server.port}/`), method: "POST", body: Buffer.of(1) };
    await client.call(post, options);
    await setImmediate();
    open[0]?.resetAndDestroy();
    expect(await client.call(post, options)).toMatchObject({ ok: true });
    expect(server.connections()).toBe(2);
  });
});

describe("the age of a connection", () => {
  const fakeClock = () => vi.useFakeTimers({ toFake: ["performance"] });

  it("ends its use after 30 s, however busy it is", async () => {
    fakeClock();
    const { server, carried, url } = await serveNumbered();
    await using _server = server;
    for (let count = 0; count < 8; count += 1) {
      expect(await client.call(get(url), options)).toMatchObject({ ok: true });
      await setImmediate();
      vi.advanceTimersByTime(9_000);
    }
    expect(carried.map(([, connection]) => connection)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    await expect.poll(() => server.openConnections()).toBe(1);
  });

  it("is checked when a waiting call takes it, too", async () => {
    fakeClock();
    const ends: (() => void)[] = [];
    const { server, carried, url } = await serveNumbered((_, done) => ends.push(done));
    await using _server = server;
    const one = createHttpClient({ allow: allow("127.0.0.1"), maxSocketsPerOrigin: 1 });
    const calls = [one.call(get(url), options), one.call(get(url), options)];
    await expect.poll(() => ends.length).toBe(1);
    vi.advanceTimersByTime(30_001);
    ends[0]?.();
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.();
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: true });
    expect(carried.map(([, connection]) => connection)).toEqual([0, 1]);
    await one.close();
  });

  it("makes calls follow the name, whose new address is checked", async () => {
    fakeClock();
    await using server = await serveHttp((_req, res) => res.end("ok"), "127.0.0.2");
    const answers = [["127.0.0.2"], ["127.0.0.2"], ["127.0.0.1"]];
    const { call, lookups } = clientWith("127.0.0.2", answers);
    const url = `http://name.test:${server.port}/`;
    for (const code of [undefined, undefined, "blocked"]) {
      const result = await call(url);
      expect(result.ok ? undefined : result.error.code).toBe(code);
      await setImmediate();
      vi.advanceTimersByTime(30_001);
    }
    expect(lookups.length).toBe(3);
  });
});

describe("limits", () => {
  it("each of many connections of one origin is opened to a checked address", async () => {
    await using server = await serveHttp(
      (_req, res) => setTimeout(() => res.end(), 5),
      "127.0.0.2",
    );
    const allowed = Array.from({ length: 5 }, () => ["127.0.0.2"]);
    const { call, lookups } = clientWith("127.0.0.2", [...allowed, ["127.0.0.1"]]);
    const url = `http://name.test:${server.port}/`;
    const results = await Promise.all(Array.from({ length: 8 }, () => call(url)));
    expect(results.filter(({ ok }) => ok).length).toBe(5);
    expect([lookups.length, server.connections()]).toEqual([8, 5]);
  });

  it("waiting calls are sent in their order, and another origin's don't wait for them", async () => {
    const first = await serveNumbered((_, done) => setTimeout(done, 2));
    const second = await serveNumbered();
    await using _first = first.server;
    await using _second = second.server;
    const one = createHttpClient({ allow: allow("127.0.0.1"), maxSocketsPerOrigin: 1 });
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
    const ended: string[] = [];
    const calls = paths.map(async (path) => {
      await one.call(get(first.url + path), options);
      ended.push(path);
    });
    await one.call(get(second.url), options);
    expect(ended.length).toBeLessThan(10);
    await Promise.all(calls);
    expect(first.carried.map(([path]) => path)).toEqual(paths);
    await one.close();
  });

  it("a failed call gives its slot to the next one", async () => {
    await using server = await serveBytes((socket) => socket.resetAndDestroy());
    const one = createHttpClient({ allow: allow("127.0.0.1"), maxSocketsPerOrigin: 1 });
    const url = `http://127.0.0.1:${server.port}/`;
    const calls = Array.from({ length: 20 }, () => one.call(get(url), options));
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({ error: { code: "reset" } });
    expect(server.connections()).toBe(20);
    await one.close();
  });

  it("a request that undici refuses keeps no slot", async () => {
    await using server = await serveHttp((_req, res) => res.end("ok"));
    const connect = createGuardedConnector({
      allow: allow("127.0.0.1"),
      resolve: () => Promise.resolve([]),
      ownPorts: [],
      onSocket: () => {},
    });
    const limits = { maxPerOrigin: 1, maxConnectingPerOrigin: 1 };
    const connections = new Connections({ client: { connect, maxHeaderSize: 16_384 }, ...limits });
    const call = (path: string) => {
      const request = { method: "GET", path } as const;
      const more = { maxResponseBytes: 9, signal: undefined, isIdempotent: true };
      const exchange = new Exchange({ ...options, ...more, sendAgain: () => {} });
      connections.send(`http://127.0.0.1:${server.port}`, request, exchange);
      return exchange.result;
    };
    for (let count = 0; count < 3; count += 1)
      expect(await call("no slash")).toMatchObject({ error: { code: "invalid_request" } });
    expect(await call("/")).toMatchObject({ ok: true });
    await connections.close(new CallFailure("cancelled"));
  });
});

describe("ending", () => {
  it("thousands of waiting calls that fail at once don't exhaust the stack", async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const own = createHttpClient({ allow: allow("127.0.0.1"), resolve });
    const calls = Array.from({ length: 50_000 }, () => own.call(get("http://a.test/"), options));
    await own.close();
    for (const result of await Promise.all(calls))
      if (result.ok || result.error.code !== "cancelled") expect(result).toBe("cancelled");
  });

  it("close closes free connections, busy ones, and those being opened", async () => {
    const silent: string[] = [];
    const { server, url } = await serveNumbered((path, done) => {
      if (path === "/free") done();
      else silent.push(path);
    });
    await using _server = server;
    const calls = ["/free", "/busy"].map((path) => client.call(get(url + path), options));
    await calls[0];
    await expect.poll(() => silent).toEqual(["/busy"]);
    const late = client.call(get(`${url}/late`), options);
    const later = client.call(get(`${url}/later`), options);
    await client.close();
    for (const ended of [calls[1], late, later])
      expect(await ended).toMatchObject({ error: { code: "cancelled" } });
    expect(client.openSockets()).toBe(0);
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(silent).toEqual(["/busy"]);
  });

  it("a signal shared by many calls ends all of them, with one listener", async () => {
    let reached = 0;
    await using server = await serveHttp(() => (reached += 1));
    const ending = new AbortController();
    const { signal } = ending;
    const url = `http://127.0.0.1:${server.port}/`;
    const calls = Array.from({ length: 20 }, () => client.call(get(url), { ...options, signal }));
    await expect.poll(() => reached).toBe(20);
    expect(getEventListeners(signal, "abort").length).toBe(1);
    ending.abort();
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({ error: { code: "cancelled" } });
    await expect.poll(() => client.openSockets()).toBe(0);
  });
});
