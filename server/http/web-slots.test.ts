import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeAll, listenWith, portOf, withWebProxy } from "#server/testing/with-web-proxy.ts";
import type { WebProxyOptions } from "./proxy-to-web.ts";
import { type SlotKind, WebSlots } from "./web-slots.ts";

const { folder } = withWebProxy();
const trusted = "127.0.0.0/8";
const token = { authorization: "Bearer ctk_x" };

/** A web process that responds when told to, except for `/now` and streams. */
let web: Server;
let path: string;
let hanging: ServerResponse[];
let fronts: Server[];

beforeEach(async () => {
  path = join(folder, `slots-${Math.random().toString(36).slice(2)}.sock`);
  hanging = [];
  fronts = [];
  web = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith("/now")) response.end("served");
    else if (request.url !== "/stream") hanging.push(response);
    else response.writeHead(200, { "x-accel-buffering": "no" }).write("id\r\n");
  });
  web.listen(path);
  await once(web, "listening");
});
afterEach(() => closeAll(...fronts, web));

/** A front with this many slots, and what a client at an address does there. */
async function openFront(maxInFlight: number, options: Partial<WebProxyOptions> = {}) {
  const isPerson = () => true;
  const limits = { maxInFlight, maxQueueMs: 400, isPerson, ...options };
  const front = await listenWith(trusted, path, limits);
  fronts.push(front);
  const get = (url: string, address?: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${portOf(front)}${url}`, {
      headers: address === undefined ? {} : { "x-forwarded-for": address },
    });
  return { get, port: portOf(front) };
}

const statusOf = async (asked: Promise<Response>) => (await asked).status;

/** Announces a body and sends a little of it all the time. */
function drip(port: number, bytes = 60_000, address = "127.0.0.1") {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write(
    `POST /now HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  const drops = setInterval(() => socket.write("x".repeat(500)), 100);
  return {
    socket,
    stop: () => {
      clearInterval(drops);
      socket.destroy();
    },
  };
}

test("slow bodies take no slot: with many times more of them than slots, everyone is served", async () => {
  const { get, port } = await openFront(2);
  const slow = Array.from({ length: 40 }, () => drip(port));
  await Promise.all(slow.map(({ socket }) => once(socket, "connect")));
  for (let round = 0; round < 5; round += 1) expect(await statusOf(get("/now"))).toBe(200);
  expect(hanging).toEqual([]);
  for (const { stop } of slow) stop();
});

test("a body that comes at a good pace forever is cut off in the end", async () => {
  const { port } = await openFront(2, { maxBodyMs: 700 });
  const { socket, stop } = drip(port);
  const [response] = (await once(socket, "data")) as [Buffer];
  stop();
  expect(response.toString()).toContain("HTTP/1.1 408");
});

test("a client sends four large bodies at a time, and can still send small ones", async () => {
  const { get, port } = await openFront(2);
  const address = "198.51.100.1";
  const large = Array.from({ length: 5 }, () => drip(port, 9_000_000, address));
  const [response] = await Promise.race(large.map(({ socket }) => once(socket, "data")));
  expect(String(response)).toContain("HTTP/1.1 503");
  expect(large.map(({ socket }) => socket.bytesRead > 0).filter(Boolean)).toHaveLength(1);
  expect(await statusOf(get("/now", address))).toBe(200);
  const small = await fetch(`http://127.0.0.1:${port}/now`, {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: "small",
  });
  expect(small.status).toBe(200);
  for (const { stop } of large) stop();
});

test("streams, such as live lists and exports, take no slot, however many are open", async () => {
  const { get } = await openFront(1);
  const streams = await Promise.all(Array.from({ length: 20 }, () => get("/stream")));
  expect(await statusOf(get("/now"))).toBe(200);
  await Promise.all(streams.map(({ body }) => body?.cancel()));
});

test("one client has a quarter of the slots, others are served meanwhile, and it gets its turn", async () => {
  const { get } = await openFront(8, { maxQueueMs: 10_000 });
  const greedy = Array.from({ length: 6 }, () => statusOf(get("/wait", "198.51.100.1")));
  await expect.poll(() => hanging.length).toBe(2);
  expect(await statusOf(get("/now", "198.51.100.2"))).toBe(200);
  expect(hanging).toHaveLength(2);
  for (let served = 0; served < 6; served += 1) {
    await expect.poll(() => hanging.length).toBeGreaterThan(0);
    hanging.shift()?.end();
  }
  expect(await Promise.all(greedy)).toEqual(Array(6).fill(200));
});

test("the last slots are kept for clients with few requests, even from one that stands for many", async () => {
  const { get } = await openFront(8);
  const many = Array.from({ length: 7 }, () => statusOf(get("/wait")));
  await expect.poll(() => hanging.length).toBe(7);
  expect(await statusOf(get("/now"))).toBe(503);
  expect(await statusOf(get("/now", "198.51.100.2"))).toBe(200);
  for (const response of hanging) response.end();
  expect(await Promise.all(many)).toEqual(Array(7).fill(200));
});

test("clients take turns: one request isn't behind all those of another client", async () => {
  const { get } = await openFront(8, { maxQueueMs: 10_000 });
  const clients = ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"];
  const asked = clients.flatMap((address) =>
    Array.from({ length: 10 }, () => statusOf(get("/wait", address))),
  );
  await expect.poll(() => hanging.length).toBe(8);
  let isServed = false;
  const late = statusOf(get("/now", "198.51.100.5")).finally(() => {
    isServed = true;
  });
  let ended = 0;
  for (; !isServed; ended += 1) {
    hanging.shift()?.end();
    await expect.poll(() => isServed || hanging.length === 8).toBe(true);
  }
  expect(await late).toBe(200);
  // The 32 that waited before it would have been first.
  expect(ended).toBeLessThan(12);
  const ending = setInterval(() => hanging.shift()?.end(), 5);
  expect(await Promise.all(asked)).toEqual(Array(40).fill(200));
  clearInterval(ending);
});

test("visitors have two of 64 slots, and give them back before they have read the page", async () => {
  const { get, port } = await openFront(64, { maxQueueMs: 10_000, isPerson: () => false });
  const visitors = Array.from({ length: 6 }, (_, index) => get("/wait", `198.51.100.${index}`));
  await expect.poll(() => hanging.length).toBe(2);
  const asked = await statusOf(fetch(`http://127.0.0.1:${port}/api/v1/now`, { headers: token }));
  expect(asked).toBe(200);
  const page = "x".repeat(2_000_000);
  for (let served = 0; served < 6; served += 1) {
    await expect.poll(() => hanging.length).toBeGreaterThan(0);
    hanging.shift()?.end(page);
  }
  const responses = await Promise.all(visitors);
  for (const response of responses) expect(await response.text()).toBe(page);
});

test("who is signed in comes before visitors, and who was served least before the others", async () => {
  const slots = new WebSlots({ maxInFlight: 1 });
  const { signal } = new AbortController();
  const order: string[] = [];
  const ask = async (kind: SlotKind, address: string) => {
    const release = await slots.take({ kind, address, isMany: false }, signal);
    order.push(`${kind} ${address}`);
    return release;
  };
  const release = await ask("visitor", "a");
  const waiting = [
    ask("visitor", "a"),
    ask("visitor", "b"),
    ask("person", "c"),
    ask("person", "c"),
    ask("api", "d"),
  ];
  release?.();
  for (const asked of waiting) void asked.then((free) => free?.());
  await Promise.all(waiting);
  expect(order).toEqual(["visitor a", "person c", "api d", "person c", "visitor b", "visitor a"]);
});
