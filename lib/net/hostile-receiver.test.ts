import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { allow, get, text } from "./testing/test-calls.ts";
import { serveBytes, serveHttp } from "./testing/test-servers.ts";

let client: HttpClient;
beforeEach(() => {
  client = createHttpClient({ allow: allow("127.0.0.0/8") });
});
afterEach(() => client.close());

describe("a hostile or broken receiver", () => {
  it("the deadline ends a response that drips forever, and keeps what arrived", async () => {
    await using server = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    // Long enough for the head to arrive on any machine.
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 3_000 });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "timeout" },
      response: { status: 200, truncated: true },
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(2_995);
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it.each([
    ["headers", "HTTP/1.1 200 OK\r\nX-A"],
    ["anything", ""],
  ])("the deadline ends a response that never finishes its %s", async (_what, start) => {
    await using server = await serveBytes((socket) => socket.write(start));
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 150 });
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" }, response: null });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it.each([
    ["a reset", "reset", "", true],
    ["a reset in the body", "reset", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", true],
    ["a close without a response", "reset", "", false],
    ["a close in the headers", "reset", "HTTP/1.1 200 OK\r\nX", false],
    ["a close in the body", "reset", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", false],
    [
      "a close in a chunk",
      "reset",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
      false,
    ],
    ["a garbage status line", "protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n", false],
    ["HTTP/0.9", "protocol", "<html>hello</html>", false],
    ["a status that is not a number", "protocol", "HTTP/1.1 abc OK\r\n\r\n", false],
    [
      "two lengths",
      "protocol",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      false,
    ],
    [
      "length and chunks",
      "protocol",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      false,
    ],
    [
      "a bad chunk size",
      "protocol",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      false,
    ],
    [
      "100 KB of headers",
      "protocol",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
      false,
    ],
    [
      "a flood of interim responses",
      "protocol",
      "HTTP/1.1 102 Processing\r\n\r\n".repeat(5_000),
      false,
    ],
  ] as const)("%s is reported as %s", async (_what, code, bytes, isReset) => {
    await using server = await serveBytes((socket) => {
      if (isReset)
        return void socket.write(
          bytes,
          () => void setImmediate().then(() => socket.resetAndDestroy()),
        );
      socket.end(bytes);
    });
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: false, error: { code } });
    if (bytes.includes("\r\nabc"))
      expect(result.response).toMatchObject({ status: 200, truncated: true });
  });

  it.each([
    ["no headers at all", "HTTP/1.1 200 OK\r\n\r\nok"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok"],
    ["no reason phrase", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"],
    ["empty lines before it", "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    [
      "an interim response",
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ],
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    [
      "100 Continue with headers, twice, and 102",
      "HTTP/1.1 100 Continue\r\nServer: x\r\n\r\nHTTP/1.1 100\r\n\r\n" +
        "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok",
    ],
    ["folded headers", "HTTP/1.1 200 OK\r\nX-A: a\r\n  b\r\n\tc\r\nContent-Length: 2\r\n\r\nok"],
    ["a folded length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok"],
    ["one length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nok"],
    ["one length in a list", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok"],
    ["LF alone", "HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok"],
    ["LF alone, and chunks", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nok\r\n0\r\n\r\n"],
    ["mixed line ends", "HTTP/1.1 200 OK\r\nX: y\nContent-Length: 2\n\r\nok"],
    ["a space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok"],
    [
      "an offer to upgrade",
      "HTTP/1.1 200 OK\r\nUpgrade: h2,h2c\r\nConnection: Upgrade, close\r\nContent-Length: 2\r\n\r\nok",
    ],
    [
      "60 KB of headers",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(60_000)}\r\nContent-Length: 2\r\n\r\nok`,
    ],
  ])("a response with %s is read, in one piece and byte by byte", async (_what, bytes) => {
    for (const size of [bytes.length, bytes.length > 1_000 ? 700 : 1]) {
      await using server = await serveBytes((socket) => void writeInPieces(socket, bytes, size));
      const url = `http://127.0.0.1:${server.port}/`;
      const result = await client.call(get(url), { timeoutMs: 60_000 });
      expect(result).toMatchObject({ ok: true, response: { status: 200, truncated: false } });
      expect(text(result.response?.body ?? new Uint8Array())).toBe("ok");
    }
  });

  it("a folded header is one line, and a connection with repaired heads is used again", async () => {
    let served = 0;
    const head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nX-A: a\n  b\nContent-Length: 8\n\n";
    await using server = await serveBytes((socket) => {
      // A body that looks like a head isn't touched.
      const respond = () => {
        served += 1;
        socket.write(`${head}A : b\n\n${served}`);
      };
      respond();
      socket.on("data", respond);
    });
    for (const number of [1, 2, 3]) {
      const result = await client.call(get(`http://127.0.0.1:${server.port}/`), {
        timeoutMs: 60_000,
      });
      expect(result.response?.headers).toContainEqual(["x-a", "a b"]);
      expect(text(result.response?.body ?? new Uint8Array())).toBe(`A : b\n\n${number}`);
    }
    expect(server.connections()).toBeLessThan(3);
  });

  it.each([
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      /contradicts its Content-Length/,
    ],
    [
      "two lengths in a list",
      "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab",
      /contradicts its Content-Length/,
    ],
    [
      "a line without a colon",
      "HTTP/1.1 200 OK\r\nX\r\n\r\nab",
      /not valid HTTP: Invalid header token\.$/,
    ],
    [
      "100 KB of headers",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
      /more than 64 KiB of headers/,
    ],
    ["a close after 100 Continue", "HTTP/1.1 100 Continue\r\n\r\n", /connection was closed/],
  ])("a response with %s says why it can't be read", async (_what, bytes, message) => {
    await using server = await serveBytes((socket) => void socket.end(bytes));
    const url = `http://127.0.0.1:${server.port}/`;
    const result = await client.call(get(url), { timeoutMs: 60_000 });
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
  });

  it("200 MB are cut at the limit and the connection is closed at once", async () => {
    let sent = 0;
    await using server = await serveBytes((socket) => {
      const block = Buffer.alloc(1024 * 1024, 120);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n");
      const push = () => {
        if (socket.destroyed || sent >= 200) return;
        sent += 1;
        socket.write(block, push);
      };
      push();
    });
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: true, response: { status: 200, truncated: true } });
    expect(result.response?.body.length).toBe(64 * 1024);
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(sent).toBeLessThan(50);
  });

  it("a body of exactly the limit is complete, and one byte more is cut", async () => {
    await using server = await serveHttp((req, res) =>
      res.end("x".repeat(Number(req.url?.slice(1)))),
    );
    const call = (size: number) =>
      client.call(get(`http://127.0.0.1:${server.port}/${size}`), {
        timeoutMs: 5_000,
        maxResponseBytes: 10,
      });
    expect((await call(10)).response).toMatchObject({ truncated: false, body: { length: 10 } });
    expect((await call(11)).response).toMatchObject({ truncated: true, body: { length: 10 } });
    expect((await call(0)).response).toMatchObject({ truncated: false, body: { length: 0 } });
  });

  it("a compression bomb stays compressed", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    await using server = await serveHttp((_req, res) => {
      res.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(Buffer.compare(result.response?.body ?? Buffer.of(), bomb.subarray(0, 64 * 1024))).toBe(
      0,
    );
  });

  it("a closed port is a connect failure", async () => {
    const server = await serveHttp((_req, res) => res.end());
    await server[Symbol.asyncDispose]();
    const result = await client.call(get(`http://127.0.0.1:${server.port}/`), { timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: false, error: { code: "connect" }, response: null });
  });

  it("a receiver that never responds doesn't delay calls to another", async () => {
    await using silent = await serveBytes(() => {});
    await using quick = await serveHttp((_req, res) => res.end("ok"));
    const stuck = Array.from({ length: 50 }, () =>
      client.call(get(`http://127.0.0.1:${silent.port}/`), { timeoutMs: 1_500 }),
    );
    const answered = client.call(get(`http://127.0.0.1:${quick.port}/`), { timeoutMs: 5_000 });
    expect(await Promise.race([answered, ...stuck])).toMatchObject({ ok: true });
    for (const one of await Promise.all(stuck))
      expect(one).toMatchObject({ error: { code: "timeout" } });
  });
});

async function writeInPieces(socket: Socket, bytes: string, size: number): Promise<void> {
  socket.setNoDelay(true);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.slice(at, at + size), "latin1");
    // One turn later, so that pieces arrive one by one.
    await setImmediate();
  }
  socket.end();
}
