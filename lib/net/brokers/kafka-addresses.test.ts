import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, it } from "vitest";
import { readEgressProxy } from "#lib/core/env/egress-proxy.ts";
import { testCertificate } from "#lib/net/testing/test-certificate.ts";
import { listen } from "#lib/net/testing/test-servers.ts";
import { clientWith, closeAfterEach, closing, startKafka } from "#lib/net/testing/with-kafka.ts";

closeAfterEach();

it("forbidden addresses and ports of the URL are never connected to", async () => {
  const { kafka, port, url } = await startKafka();
  const strict = clientWith("", { resolve: async () => ["127.0.0.1"] });
  const hidden = [`kafka://broker.test:${port}`, `kafka://0x7f.1:${port}`, `kafka://[::1]:${port}`];
  for (const blocked of [url, ...hidden, "kafkas://203.0.113.1:6379"])
    expect(await strict.send(blocked), blocked).toMatchObject({ error: { code: "blocked" } });
  const mixed = { resolve: async () => ["127.0.0.1", "10.0.0.1"] };
  expect(await clientWith("127.0.0.1", mixed).send(`kafka://broker.test:${port}`)).toMatchObject({
    error: { code: "blocked" },
  });
  const own = clientWith("127.0.0.1", { ownPorts: [port] });
  expect(await own.send(url)).toMatchObject({ error: { code: "self_call" } });
  expect(kafka.connections()).toBe(0);
});

it.each([
  ["127.0.0.1", "blocked"],
  ["127.1", "blocked"],
  ["0x7f000001", "blocked"],
  ["2130706433", "blocked"],
  ["::1", "blocked"],
  ["::ffff:127.0.0.1", "blocked"],
  ["10.0.0.1", "blocked"],
  ["169.254.169.254", "blocked"],
  ["internal.test", "blocked"],
  ["user@127.0.0.1", "undelivered"],
  ["127.0.0.1/x", "undelivered"],
  ["", "undelivered"],
])("a cluster that names the broker %j doesn't lead there", async (host, code) => {
  const inside = await startKafka(createServer(), { host: "127.0.0.1" });
  const outside = await startKafka(createServer(), { host: "127.0.0.9" });
  outside.kafka.places = [{ host, port: inside.port }];
  const lookups: string[] = [];
  // 127.0.0.9 stands for a public address.
  const { send } = clientWith("127.0.0.9/32", {
    resolve: async (name) => {
      lookups.push(name);
      return ["127.0.0.1"];
    },
  });
  const failed = await send(outside.url);
  expect(failed).toMatchObject({ error: { code } });
  if (code === "blocked")
    expect(failed).toMatchObject({
      error: { message: expect.stringMatching(/^The cluster names a broker whose address/) },
    });
  expect(lookups).toEqual(host === "internal.test" ? [host] : []);
  expect(inside.kafka.connections()).toBe(0);
});

it("a cluster that names this server itself doesn't lead there", async () => {
  const [own, other] = [await startKafka(), await startKafka()];
  other.kafka.places = own.kafka.places;
  const { send } = clientWith("127.0.0.1", { ownPorts: [own.port] });
  expect(await send(other.url)).toMatchObject({ error: { code: "self_call" } });
  expect(own.kafka.connections()).toBe(0);
});

it("the certificate of every broker is checked for the name that the cluster has for it", async () => {
  const tls = () => createTlsServer(testCertificate) as unknown as Server;
  const { kafka, port } = await startKafka(tls(), { event: "secureConnection" });
  const url = `kafkas://receiver.test:${port}`;
  const resolve = async () => ["127.0.0.1"];
  const trusting = clientWith("127.0.0.1", { resolve, extraCa: [testCertificate.cert] });
  kafka.places = [{ host: "receiver.test", port }];
  expect((await trusting.send(url)).ok).toBe(true);
  expect(await trusting.send(`kafkas://other.test:${port}`)).toMatchObject({
    error: { code: "tls" },
  });
  const strict = clientWith("127.0.0.1", { resolve });
  expect(await strict.send(url)).toMatchObject({ error: { code: "tls" } });
  trusting.client.close();
  kafka.places = [{ host: "other.test", port }];
  expect(await trusting.send(url)).toMatchObject({ error: { code: "tls" } });
  expect(kafka.messages).toHaveLength(1);
});

it("TLS and plain text don't mix", async () => {
  const tls = createTlsServer(testCertificate) as unknown as Server;
  const secure = await startKafka(tls, { event: "secureConnection" });
  const plain = await startKafka();
  const { send } = clientWith("127.0.0.1");
  expect(await send(`kafkas://127.0.0.1:${plain.port}`, { timeoutMs: 500 })).toMatchObject({
    ok: false,
  });
  expect(await send(`kafka://127.0.0.1:${secure.port}`)).toMatchObject({ ok: false });
  expect([...secure.kafka.messages, ...plain.kafka.messages]).toEqual([]);
});

it("every connection goes through the proxy, and none to what the cluster names inside", async () => {
  const { kafka, port } = await startKafka();
  const asked: string[] = [];
  const proxy = createHttpServer();
  proxy.on("connect", ({ url = "" }, client: Socket) => {
    asked.push(url);
    // Whatever is asked for, so that only our own checks are in the way.
    const far = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.pipe(client).pipe(far);
    });
    for (const socket of [client, far]) socket.on("error", () => {});
  });
  const { port: proxyPort, ...listening } = await listen(proxy, "127.0.0.1");
  closing.push(() => listening[Symbol.asyncDispose]());
  const server = readEgressProxy(`http://127.0.0.1:${proxyPort}`);
  if (typeof server === "string") throw new Error(server);
  const { client, send } = clientWith("", {
    resolve: async () => ["203.0.114.7"],
    proxy: { server, except: { networks: [], hosts: [] } },
  });
  kafka.places = [{ host: "203.0.114.8", port: 9092 }];
  expect((await send("kafka://broker.test")).ok).toBe(true);
  expect(asked).toEqual(["203.0.114.7:9092", "203.0.114.8:9092"]);
  client.close();
  for (const host of ["127.0.0.1", "10.0.0.1", "::1", "192.168.1.1"]) {
    kafka.places = [{ host, port }];
    expect(await send("kafka://broker.test")).toMatchObject({ error: { code: "blocked" } });
  }
  expect(new Set(asked)).toEqual(new Set(["203.0.114.7:9092", "203.0.114.8:9092"]));
  expect(kafka.messages).toHaveLength(1);
});
