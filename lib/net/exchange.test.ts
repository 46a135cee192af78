import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { CallResult } from "./call-result.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { allow, get, text } from "./testing/test-calls.ts";
import { serveBytes } from "./testing/test-servers.ts";

let client: HttpClient;
beforeEach(() => {
  client = createHttpClient({ allow: allow("127.0.0.0/8"), maxSocketsPerOrigin: 50 });
});
afterEach(() => client.close());

describe("a kept-alive connection", () => {
  // A close is early or late by this clock, which a busy machine would move.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  const post = (url: string): OutgoingRequest => ({
    ...get(url),
    method: "POST",
    body: Buffer.from("x"),
  });

  /**
   * Responds to the first call of each connection. `onSecond` gets what comes over it afterwards.
   */
  async function serveOnce(onSecond: (socket: Socket) => void) {
    let seconds = 0;
    const server = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      socket.once("data", () => {
        seconds += 1;
        onSecond(socket);
      });
    });
    return { server, seconds: () => seconds };
  }

  async function callTwice(port: number, request = post): Promise<CallResult> {
    const url = `http://127.0.0.1:${port}/`;
    expect(await client.call(request(url), { timeoutMs: 5_000 })).toMatchObject({ ok: true });
    // The socket is released in the turn after the response.
    await setImmediate();
    return client.call(request(url), { timeoutMs: 5_000 });
  }

  it("that the receiver closes as the next call is on its way costs that call nothing", async () => {
    const { server, seconds } = await serveOnce((socket) => socket.resetAndDestroy());
    await using _server = server;
    expect(await callTwice(server.port)).toMatchObject({ ok: true, response: { status: 200 } });
    expect([seconds(), server.connections()]).toEqual([1, 2]);
  });

  it("is replaced once: a receiver that reads no call at all makes it fail", async () => {
    let connections = 0;
    await using server = await serveBytes((socket) => {
      connections += 1;
      if (connections > 1) return socket.resetAndDestroy();
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      socket.once("data", () => socket.resetAndDestroy());
    });
    expect(await callTwice(server.port)).toMatchObject({ ok: false, error: { code: "reset" } });
    expect(connections).toBe(2);
  });

  it("is not replaced if it closes after the first byte of a response: the receiver has read the call", async () => {
    const { server, seconds } = await serveOnce((socket) => socket.end("H"));
    await using _server = server;
    expect(await callTwice(server.port)).toMatchObject({ ok: false });
    expect([seconds(), server.connections()]).toEqual([1, 1]);
  });

  it("is replaced after a later close only if the call is idempotent", async () => {
    const { server } = await serveOnce((socket) => {
      vi.advanceTimersByTime(150);
      socket.resetAndDestroy();
    });
    await using _server = server;
    expect(await callTwice(server.port)).toMatchObject({ ok: false, error: { code: "reset" } });
    expect(server.connections()).toBe(1);
    expect(await callTwice(server.port, get)).toMatchObject({ ok: true });
  });
});

/** Its deadline passes while its own process hangs, or its machine sleeps. */
describe("a call during a hang", () => {
  const timeoutMs = 2_000;
  const length = (size: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`;
  const responses: Record<string, string> = {
    "/ok": `${length(2)}ok`,
    "/failed": `${length(2).replace("200", "500")}ok`,
    "/until-its-end": "HTTP/1.1 200 OK\r\n\r\nok",
    "/in-chunks":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
    "/behind-an-interim-one": `HTTP/1.1 100 Continue\r\n\r\n${length(2)}ok`,
    "/large": length(60_000) + "ok".repeat(30_000),
    "/too-large": length(200_000) + "ok".repeat(100_000),
    "/half-of-it": `${length(9)}ok`,
  };

  /** The receiver is a thread, which responds while this one hangs. It counts what it has received. */
  const receiver = `
    const { parentPort, workerData } = require("node:worker_threads");
    const [isHanging, received] = [0, 1];
    const { state, responses } = workerData;
    const server = require("node:net").createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        const path = String(data).split(" ")[1];
        const timer = setInterval(() => {
          if (path !== "/now" && Atomics.load(state, isHanging) === 0) return;
          clearInterval(timer);
          const response = responses[path === "/now" ? "/ok" : path];
          if (path === "/reset") socket.resetAndDestroy();
          else if (path === "/until-its-end") socket.end(response);
          else if (response !== undefined) socket.write(response);
        }, 5);
        Atomics.add(state, received, 1);
      });
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;

  const state = new Int32Array(new SharedArrayBuffer(12));
  let thread: Worker;
  let port: number;
  beforeAll(async () => {
    thread = new Worker(receiver, { eval: true, workerData: { state, responses } });
    port = await new Promise((done) => thread.once("message", done));
  });
  afterAll(() => thread.terminate());
  beforeEach(() => void state.fill(0));

  const call = (path: string) => client.call(get(`http://127.0.0.1:${port}${path}`), { timeoutMs });

  /** Once so many calls were received, this thread stands still for longer than their deadline. */
  async function hang(received: number): Promise<void> {
    while (Atomics.load(state, 1) < received) await setImmediate();
    Atomics.store(state, 0, 1);
    Atomics.wait(state, 2, 0, timeoutMs + 1_000);
  }

  const whole = { ok: true, response: { status: 200, truncated: false } };

  it("what came meanwhile counts, whatever it is, also over a connection that is used again", {
    tags: "variant",
  }, async () => {
    const expected = {
      "/ok": whole,
      "/failed": { ok: true, response: { status: 500 } },
      "/until-its-end": whole,
      "/in-chunks": whole,
      "/behind-an-interim-one": whole,
      "/large": whole,
      "/too-large": { ok: true, response: { status: 200, truncated: true } },
      "/half-of-it": { ok: false, error: { code: "timeout" }, response: { truncated: true } },
      "/reset": { ok: false, error: { code: "reset" }, response: null },
      "/nothing": { ok: false, error: { code: "timeout" }, response: null },
    };
    await call("/now");
    const paths = Object.keys(expected);
    const called = Array.from({ length: 4 }, () => paths.map(call)).flat();
    await hang(1 + called.length);
    for (const [at, result] of (await Promise.all(called)).entries()) {
      const path = paths[at % paths.length] ?? "";
      expect([path, result]).toMatchObject([path, expected[path as keyof typeof expected]]);
      if (result.response !== null) expect(text(result.response.body)).toMatch(/^(ok)+$/);
    }
  });

  it("a call that wasn't sent by its deadline is never sent", { tags: "variant" }, async () => {
    const first = Array.from({ length: 50 }, () => call("/ok"));
    const waiting = Array.from({ length: 20 }, () => call("/ok"));
    await hang(50);
    for (const result of await Promise.all(waiting))
      expect(result).toMatchObject({ ok: false, error: { code: "timeout" }, response: null });
    for (const result of await Promise.all(first)) expect(result).toMatchObject({ ok: true });
    await call("/now");
    expect(Atomics.load(state, 1)).toBe(51);
  });
});
