import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { readEgressProxy } from "#lib/core/env/egress-proxy.ts";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { serveBroker } from "../testing/test-broker.ts";
import { testCertificate } from "../testing/test-certificate.ts";
import { listen } from "../testing/test-servers.ts";
import { type BrokerClientOptions, createBrokerClient } from "./broker-client.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startBroker(
  server: Server = createServer(),
  { host = "127.0.0.1", event = "connection" } = {},
) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  const broker = serveBroker(server, event);
  const { port, ...listening } = await listen(server, host);
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await listening[Symbol.asyncDispose]();
  });
  return { broker, port, url: `amqp://${host}:${port}` };
}

function clientWith(allow: string, more: Partial<BrokerClientOptions> = {}) {
  const parsed = parseCidrList(allow);
  if (!parsed.ok) throw new Error(parsed.message);
  const client = createBrokerClient({ allow: parsed.cidrs, ...more });
  closing.push(() => client.close());
  const login = { username: "shop", password: "hunter2" };
  const send = (
    url: string,
    { body = "{}", timeoutMs = 60_000, key = "1.1", signal = never } = {},
  ) =>
    client.publish(
      {
        ...{ exchange: "events", routingKey: "invoice.paid", messageId: "evt_1" },
        ...{ type: "invoice.paid", contentType: "application/json", headers: {} },
        body: Buffer.from(body),
      },
      { url, login, loginKey: key },
      { timeoutMs, signal },
    );
  return { client, send };
}
const never = new AbortController().signal;

/** Deadlines pass when the test says so, not on a busy machine. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

it("messages share one connection, and a confirmed one has arrived", async () => {
  const { broker, url } = await startBroker();
  const { client, send } = clientWith("127.0.0.1");
  const bodies = ["1", "2", "3", "x".repeat(300_000)];
  const results = await Promise.all(bodies.map((body) => send(`${url}/orders`, { body })));
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(results[0]?.response).toMatchObject({ status: 200 });
  expect(broker.messages.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
  expect(broker.messages[0]).toMatchObject({ exchange: "events", routingKey: "invoice.paid" });
  expect(broker.connections()).toBe(1);
  await send(url);
  await send(`${url}/orders`, { key: "1.2" });
  expect(broker.connections()).toBe(3);
  await client.close();
  expect(client.openConnections()).toBe(0);
});

it.each([
  [
    { returned: [312, "NO_ROUTE"] },
    "undelivered",
    /^The broker replied 312 NO_ROUTE: the exchange/,
  ],
  [
    { closeChannel: [404, "NOT_FOUND - no exchange"] },
    "undelivered",
    /404 NOT_FOUND - no exchange/,
  ],
  [{ closeChannel: [403, "ACCESS_REFUSED"] }, "undelivered", /403 ACCESS_REFUSED/],
  [{ closeConnection: [320, "CONNECTION_FORCED"] }, "unavailable", /320 CONNECTION_FORCED/],
  [{ closeConnection: [541, "INTERNAL_ERROR"] }, "unavailable", /541 INTERNAL_ERROR/],
  ["nack", "unavailable", /basic\.nack/],
  ["drop", "reset", /before the broker confirmed/],
] as const)("%j fails its message, and the next one arrives", async (reply, code, message) => {
  const { broker, url } = await startBroker();
  const { send } = clientWith("127.0.0.1");
  await send(url, { body: "before" });
  broker.reply = reply;
  const failed = await send(url);
  expect(failed).toMatchObject({
    ok: false,
    error: { code, message: expect.stringMatching(message) },
  });
  const [status] = typeof reply === "string" ? [] : Object.values(reply).flat();
  expect(failed.response?.status).toBe(status);
  broker.reply = "ack";
  expect(await send(url, { body: "after" })).toMatchObject({ ok: true });
  expect(broker.messages.map(({ body }) => body)).toEqual(["before", "{}", "after"]);
});

it("a broken exchange costs no message to another one", async () => {
  const { broker, url } = await startBroker();
  const { send } = clientWith("127.0.0.1");
  broker.reply = "nothing";
  fakeTimers();
  const waiting = send(url, { timeoutMs: 2_000 });
  await expect.poll(() => broker.messages.length).toBe(1);
  broker.reply = { closeChannel: [404, "NOT_FOUND"] };
  expect((await send(url)).response?.status).toBe(404);
  broker.reply = "ack";
  expect((await send(url)).ok).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(await waiting).toMatchObject({ error: { code: "timeout" } });
  expect(broker.connections()).toBe(1);
  // The connection that has unconfirmed messages isn't used again.
  expect((await send(url)).ok).toBe(true);
  expect(broker.connections()).toBe(2);
});

it("a rejected login is the broker's reply, and the password isn't in it", async () => {
  const { broker, url } = await startBroker();
  const { client, send } = clientWith("127.0.0.1");
  broker.refusal = [403, "ACCESS_REFUSED - Login was refused"];
  const failed = await send(url);
  expect(failed).toMatchObject({ error: { code: "undelivered" }, response: { status: 403 } });
  expect(JSON.stringify(failed)).not.toContain("hunter2");
  expect(client.openConnections()).toBe(0);
  broker.refusal = null;
  expect((await send(url)).ok).toBe(true);
});

it.each([
  ["nothing", undefined, "connect"],
  ["HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", "unavailable"],
  ["goodbye", "", "reset"],
])("a server that says %s ends the attempt", async (_what, greeting, code) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (greeting !== undefined) socket.end(greeting);
  });
  const { port, ...listening } = await listen(server, "127.0.0.1");
  closing.push(() => listening[Symbol.asyncDispose]());
  // Only one that says nothing may be too late.
  const connectMs = code === "connect" ? 300 : 60_000;
  const { client, send } = clientWith("127.0.0.1", { connectMs });
  expect(await send(`amqp://127.0.0.1:${port}`)).toMatchObject({ error: { code } });
  expect(client.openConnections()).toBe(0);
});

it("a broker that is low on memory says so", async () => {
  const { broker, url } = await startBroker();
  const { send } = clientWith("127.0.0.1");
  expect((await send(url)).ok).toBe(true);
  broker.reply = { blocked: "low on memory" };
  expect(await send(url, { timeoutMs: 2_000 })).toMatchObject({
    error: { code: "timeout", message: "The broker takes no messages now: low on memory." },
  });
});

it("a call that is canceled or late doesn't wait for the broker", async () => {
  const { broker, url } = await startBroker();
  const { send } = clientWith("127.0.0.1");
  broker.reply = "nothing";
  const stopping = new AbortController();
  const waiting = send(url, { signal: stopping.signal });
  await expect.poll(() => broker.messages.length).toBe(1);
  stopping.abort();
  expect(await waiting).toMatchObject({ error: { code: "cancelled" } });
  expect(await send(url, { timeoutMs: 200 })).toMatchObject({
    error: { code: "timeout", message: "The broker didn't confirm the message in time." },
  });
});

it("an idle connection closes, and a full client makes room for another broker", async () => {
  const [one, two] = [await startBroker(), await startBroker()];
  const { client, send } = clientWith("127.0.0.1", { maxConnections: 1, idleMs: 100 });
  expect((await send(one.url)).ok).toBe(true);
  expect((await send(two.url)).ok).toBe(true);
  await expect.poll(() => client.openConnections()).toBe(0);
  one.broker.reply = "nothing";
  const stopping = new AbortController();
  const busy = send(one.url, { signal: stopping.signal });
  await expect.poll(() => one.broker.messages.length).toBe(2);
  expect(await send(two.url)).toMatchObject({ error: { code: "connect" } });
  stopping.abort();
  await busy;
});

it("more messages than channels wait, and all arrive", async () => {
  const { broker, url } = await startBroker();
  const { send } = clientWith("127.0.0.1", { maxChannels: 2 });
  const results = await Promise.all(Array.from({ length: 9 }, () => send(url)));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(broker.messages).toHaveLength(9);
});

it("forbidden addresses and ports are never connected to", async () => {
  const { broker, port, url } = await startBroker();
  const strict = clientWith("", { resolve: async () => ["127.0.0.1"] });
  for (const blocked of [url, `amqp://broker.test:${port}`, `amqp://0x7f.1:${port}`])
    expect(await strict.send(blocked), blocked).toMatchObject({ error: { code: "blocked" } });
  const mixed = { resolve: async () => ["127.0.0.1", "10.0.0.1"] };
  expect(await clientWith("127.0.0.1", mixed).send(`amqp://broker.test:${port}`)).toMatchObject({
    error: { code: "blocked" },
  });
  const own = clientWith("127.0.0.1", { ownPorts: [port] });
  expect(await own.send(url)).toMatchObject({ error: { code: "self_call" } });
  expect(await clientWith("").send("amqps://203.0.113.1:6379")).toMatchObject({
    error: { code: "blocked" },
  });
  expect(broker.connections()).toBe(0);
});

it("a certificate is checked for the name in the URL, whose address was checked", async () => {
  const tls = () => createTlsServer(testCertificate) as unknown as Server;
  const { broker, port } = await startBroker(tls(), { event: "secureConnection" });
  const lookups: string[] = [];
  const resolve = async (host: string) => {
    lookups.push(host);
    return ["127.0.0.1"];
  };
  const trusting = clientWith("127.0.0.1", { resolve, extraCa: [testCertificate.cert] });
  expect((await trusting.send(`amqps://receiver.test:${port}`)).ok).toBe(true);
  expect(await trusting.send(`amqps://other.test:${port}`)).toMatchObject({
    error: { code: "tls" },
  });
  expect(
    await clientWith("127.0.0.1", { resolve }).send(`amqps://receiver.test:${port}`),
  ).toMatchObject({
    error: { code: "tls" },
  });
  expect(lookups).toEqual(["receiver.test", "other.test", "receiver.test"]);
  expect(broker.messages).toHaveLength(1);
});

it("TLS goes through the proxy to the checked address, and plain text never around it", async () => {
  const asked: string[] = [];
  const proxy = createHttpServer();
  proxy.on("connect", ({ url = "" }, client: Socket) => {
    asked.push(url);
    const [host = "", to] = url.split(":");
    const far = connect(Number(to), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.pipe(client).pipe(far);
    });
    for (const socket of [client, far]) socket.on("error", () => {});
  });
  const { port: proxyPort, ...listening } = await listen(proxy, "127.0.0.1");
  closing.push(() => listening[Symbol.asyncDispose]());
  const server = readEgressProxy(`http://127.0.0.1:${proxyPort}`);
  if (typeof server === "string") throw new Error(server);
  const tls = createTlsServer(testCertificate) as unknown as Server;
  const secure = await startBroker(tls, { host: "127.0.0.3", event: "secureConnection" });
  const plain = await startBroker(createServer(), { host: "127.0.0.3" });
  const { send } = clientWith("127.0.0.3", {
    resolve: async () => ["127.0.0.3"],
    extraCa: [testCertificate.cert],
    proxy: { server, except: { networks: [], hosts: [] } },
    // The receiver's machine is another one.
    own: { has: () => false },
  });
  expect((await send(`amqps://receiver.test:${secure.port}`)).ok).toBe(true);
  expect(asked).toEqual([`127.0.0.3:${secure.port}`]);
  expect(await send(`amqp://receiver.test:${plain.port}`)).toMatchObject({
    error: { code: "connect", message: expect.stringContaining("Use an amqps:// URL") },
  });
  expect(plain.broker.connections()).toBe(0);
});
