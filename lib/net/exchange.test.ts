import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import type { CallResult } from "./call-result.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { allow, get } from "./testing/test-calls.ts";
import { serveBytes } from "./testing/test-servers.ts";

let client: HttpClient;
beforeEach(() => {
  // A close is early or late by this clock, which a busy machine would move.
  vi.useFakeTimers({ toFake: ["performance"] });
  client = createHttpClient({ allow: allow("127.0.0.0/8") });
});
afterEach(async () => {
  vi.useRealTimers();
  await client.close();
});

describe("a kept-alive connection", () => {
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
