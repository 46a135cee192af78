import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchIdle } from "./idle-watch.ts";

const idleMs = 60_000;
let server: ReturnType<typeof createServer>;
let idles: number;
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  idles = 0;
  respond = (response) => response.end();
  server = createServer((_request, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

const ask = () =>
  request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" }).end();

test("reports once that no request has come", () => {
  watchIdle(server, idleMs, () => {
    idles += 1;
  });
  vi.advanceTimersByTime(idleMs - 1);
  expect(idles).toBe(0);
  vi.advanceTimersByTime(3 * idleMs);
  expect(idles).toBe(1);
});

test("a response in flight keeps it awake", async () => {
  let stream: ServerResponse | undefined;
  respond = (response) => {
    response.write("live");
    stream = response;
  };
  watchIdle(server, idleMs, () => {
    idles += 1;
  });
  ask().on("response", (response) => response.resume());
  await expect.poll(() => stream).toBeDefined();
  vi.advanceTimersByTime(4 * idleMs);
  expect(idles).toBe(0);
  stream?.end();
  const idlesLater = () => {
    vi.advanceTimersByTime(idleMs);
    return idles;
  };
  await expect.poll(idlesLater).toBe(1);
});
