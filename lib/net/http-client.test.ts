import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { allow, get, text } from "./testing/test-calls.ts";
import { serveBytes, serveHttp } from "./testing/test-servers.ts";

let client: HttpClient;
beforeEach(() => {
  client = createHttpClient({ allow: allow("127.0.0.0/8") });
});
afterEach(() => client.close());

describe("a call", () => {
  it("sends method, path, headers and bytes as given and returns the response unchanged", async () => {
    let seen: unknown;
    await using server = await serveHttp(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      seen = {
        method: req.method,
        url: req.url,
        headers: req.headers,
        body: Buffer.concat(chunks),
      };
      res.writeHead(
        201,
        [
          ["X-Two", "1"],
          ["x-two", "2"],
          ["Date", "d"],
        ].flat(),
      );
      res.end("made");
    });
    const body = Buffer.from([0, 255, 13, 10]);
    const url = `http://127.0.0.1:${server.port}/a%20b?x=%2F#not-sent`;
    const result = await client.call(
      {
        method: "PATCH",
        url,
        headers: [
          ["X-A", "1"],
          ["X-A", "2"],
          ["Accept-Encoding", "gzip"],
        ],
        body,
      },
      { timeoutMs: 5_000 },
    );
    expect(seen).toMatchObject({ method: "PATCH", url: "/a%20b?x=%2F", body });
    expect(seen).toMatchObject({
      headers: {
        host: `127.0.0.1:${server.port}`,
        "x-a": "1, 2",
        "content-length": "4",
        "accept-encoding": "identity",
      },
    });
    expect(result).toMatchObject({ ok: true, response: { status: 201, truncated: false } });
    expect(result.response?.headers).toEqual(
      expect.arrayContaining([
        ["x-two", "1"],
        ["x-two", "2"],
      ]),
    );
    expect(text(result.response?.body ?? body)).toBe("made");
  });

  it.each([400, 404, 410, 429, 500, 503])("%i is a response, not a failure", async (status) => {
    await using server = await serveHttp((_req, res) => res.writeHead(status).end());
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: true, response: { status } });
  });

  it.each([301, 302, 303, 307, 308])("%i is returned and not followed", async (status) => {
    let hits = 0;
    await using server = await serveHttp((_req, res) => {
      hits += 1;
      res.writeHead(status, { location: "/elsewhere" }).end();
    });
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: true, response: { status } });
    expect(hits).toBe(1);
  });

  it("sequential calls share sockets, concurrent calls have their own", async () => {
    await using server = await serveHttp((_req, res) => res.end("ok"));
    const url = `http://127.0.0.1:${server.port}/`;
    for (let count = 0; count < 20; count += 1) await client.call(get(url), { timeoutMs: 5_000 });
    // A call made in the same turn as the previous response finds that socket not yet released.
    expect(server.connections()).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 8 }, () => client.call(get(url), { timeoutMs: 5_000 })));
    expect(server.connections()).toBeLessThanOrEqual(10);
  });

  it("calls beyond an origin's sockets wait for one", async () => {
    await client.close();
    client = createHttpClient({ allow: allow("127.0.0.0/8"), maxSocketsPerOrigin: 3 });
    await using server = await serveHttp((_req, res) => setTimeout(() => res.end("ok"), 5));
    const url = `http://127.0.0.1:${server.port}/`;
    const results = await Promise.all(
      Array.from({ length: 30 }, () => client.call(get(url), { timeoutMs: 5_000 })),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect(server.connections()).toBe(3);
  });

  it("as many slow calls as two actions may make leave a socket for another one to the same origin", async () => {
    let slow = 0;
    await using server = await serveHttp((req, res) => {
      if (req.url === "/quick") res.end("ok");
      else slow += 1;
    });
    const url = `http://127.0.0.1:${server.port}`;
    const ending = new AbortController();
    const options = { timeoutMs: 20_000, signal: ending.signal };
    const calls = Array.from({ length: 400 }, () => client.call(get(`${url}/slow`), options));
    await expect.poll(() => slow).toBe(400);
    expect((await client.call(get(`${url}/quick`), options)).ok).toBe(true);
    ending.abort();
    await Promise.all(calls);
  });

  it("proxy variables have no effect", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:9");
    vi.stubEnv("http_proxy", "http://127.0.0.1:9");
    vi.stubEnv("ALL_PROXY", "http://127.0.0.1:9");
    const own = createHttpClient({ allow: allow("127.0.0.1") });
    await using server = await serveHttp((_req, res) => res.end("direct"));
    const result = await own.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: true });
    await own.close();
    vi.unstubAllEnvs();
  });

  it.each([
    ["Host", "evil"],
    ["content-length", "3"],
    ["Transfer-Encoding", "chunked"],
    ["connection", "close"],
    ["Expect", "100-continue"],
    ["TE", "trailers"],
    ["Upgrade", "h2c"],
    ["Proxy-Authorization", "x"],
    ["x y", "1"],
    ["", "1"],
    ["x", "a\r\nhost: evil"],
    ["x", "a\0"],
    ["x", "€"],
  ])("header %j: %j is not sent", async (name, value) => {
    await using server = await serveHttp((_req, res) => res.end());
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`, [[name, value]]), {
      timeoutMs: 5_000,
    });
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect(server.connections()).toBe(0);
  });

  it.each(["CONNECT", "trace", "BAD METHOD", ""])("method %j is not sent", async (method) => {
    await using server = await serveHttp((_req, res) => res.end());
    const request = { ...get(`http://127.0.0.1:${server.port}/`), method };
    const result = await client.call(request, { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect(server.connections()).toBe(0);
  });
});

describe("ending early", () => {
  it("an abort ends the call as canceled and closes its socket", async () => {
    await using server = await serveBytes(() => abort.abort());
    const abort = new AbortController();
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), {
      timeoutMs: 5_000,
      signal: abort.signal,
    });
    expect(result).toMatchObject({ ok: false, error: { code: "cancelled" } });
    await expect.poll(() => client.openSockets()).toBe(0);
  });

  it("calls that ended during the name lookup leave nothing behind to be sent or looked up", async () => {
    const paths: string[] = [];
    await using server = await serveHttp((req, res) => {
      paths.push(req.url ?? "");
      res.end();
    });
    const { promise: found, resolve: find } = Promise.withResolvers<string[]>();
    let lookUps = 0;
    const resolve = () => {
      lookUps += 1;
      return found;
    };
    const slow = createHttpClient({ allow: allow("127.0.0.0/8"), resolve });
    const url = `http://slow.test:${server.port}`;
    const ended = Array.from({ length: 1_000 }, () =>
      slow.call(get(`${url}/ended`), { timeoutMs: 50 }),
    );
    for (const result of await Promise.all(ended))
      expect(result).toMatchObject({ error: { code: "timeout" } });
    const live = slow.call(get(`${url}/live`), { timeoutMs: 20_000 });
    find(["127.0.0.1"]);
    expect((await live).ok).toBe(true);
    expect(paths).toEqual(["/live"]);
    expect(lookUps).toBeLessThan(300);
    await slow.close();
  });

  it("an already aborted signal sends nothing", async () => {
    let hits = 0;
    await using server = await serveHttp((_req, res) => {
      hits += 1;
      res.end();
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const result = await client.call(get(url), { timeoutMs: 5_000, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: false, error: { code: "cancelled" } });
    await client.call(get(url), { timeoutMs: 5_000 });
    expect(hits).toBe(1);
  });

  it("close cancels calls in flight, and later ones too", async () => {
    await using server = await serveBytes(() => void own.close());
    const own = createHttpClient({ allow: allow("127.0.0.1") });
    const request = get(`http://127.0.0.1:${server.port}/`);
    expect(await own.call(request, { timeoutMs: 5_000 })).toMatchObject({
      error: { code: "cancelled" },
    });
    expect(await own.call(request, { timeoutMs: 5_000 })).toMatchObject({
      error: { code: "cancelled" },
    });
    expect(own.openSockets()).toBe(0);
  });
});
