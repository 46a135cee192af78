import { createServer } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { listen } from "#lib/net/testing/test-servers.ts";
import { clientWith, closeAfterEach, closing, startKafka } from "#lib/net/testing/with-kafka.ts";

closeAfterEach();
const password = "hunter2";

it("a confirmed message has arrived, and messages of a topic share a connection", async () => {
  const { kafka, url } = await startKafka();
  const { client, send } = clientWith("127.0.0.1");
  const values = ["1", "Zoë 😀", "x".repeat(300_000)];
  const results = await Promise.all(values.map((value) => send(url, { value })));
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(results[0]?.response).toMatchObject({ status: 200 });
  expect(results[0]?.response?.body.toString()).toMatch(/^The message is in partition 0 at offset/);
  expect(kafka.messages.map(({ value }) => value)).toEqual(values);
  expect(kafka.messages[0]).toMatchObject({
    ...{ topic: "orders", key: "cust_1", headers: { "webhook-id": "evt_1" } },
  });
  expect([kafka.connections(), client.openConnections()]).toEqual([1, 1]);
  client.close();
  expect(client.openConnections()).toBe(0);
});

it("a key is always in the same partition, at the broker that leads it", async () => {
  const [one, two] = [await startKafka(), await startKafka()];
  one.kafka.places = [...one.kafka.places, ...two.kafka.places];
  one.kafka.leaders = [0, 1, 0, 1];
  const { send } = clientWith("127.0.0.1");
  for (const key of ["a", "b", "c", "d", "e", "f", "a", "f"]) await send(one.url, { key });
  const all = [...one.kafka.messages, ...two.kafka.messages];
  expect(all).toHaveLength(8);
  expect(new Set(all.map(({ key, partition }) => `${key} ${partition}`)).size).toBe(6);
  expect(one.kafka.messages.every(({ partition }) => partition % 2 === 0)).toBe(true);
  expect(two.kafka.messages.every(({ partition }) => partition % 2 === 1)).toBe(true);
  expect(two.kafka.messages.length).toBeGreaterThan(0);
});

it.each([
  [10, "rejected", "Kafka replied 10 MESSAGE_TOO_LARGE: the message is larger than"],
  [18, "rejected", "RECORD_LIST_TOO_LARGE"],
  [87, "rejected", "INVALID_RECORD"],
  [29, "undelivered", "TOPIC_AUTHORIZATION_FAILED: this login may not write to the topic"],
  [7, "unavailable", "REQUEST_TIMED_OUT"],
  [19, "unavailable", "NOT_ENOUGH_REPLICAS: too few replicas are in sync"],
  [56, "unavailable", "KAFKA_STORAGE_ERROR"],
  [-1, "unavailable", "UNKNOWN_SERVER_ERROR"],
  [999, "undelivered", "Kafka replied 999 an error"],
])("the error %d of a broker is %s", async (code, expected, message) => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  kafka.replies.push(code);
  const failed = await send(url);
  expect(failed).toMatchObject({
    error: { code: expected, message: expect.stringContaining(message) },
    response: { status: code },
  });
  expect((await send(url)).ok).toBe(true);
  expect(kafka.connections()).toBe(1);
});

it("a partition that has moved is asked for again at once", async () => {
  const [one, two] = [await startKafka(), await startKafka()];
  const { send } = clientWith("127.0.0.1");
  expect((await send(one.url)).ok).toBe(true);
  one.kafka.places = [...one.kafka.places, ...two.kafka.places];
  one.kafka.leaders = [1];
  one.kafka.replies.push(6);
  expect((await send(one.url)).ok).toBe(true);
  expect(two.kafka.messages).toHaveLength(1);
  // It is still moving.
  two.kafka.always.set("orders", 6);
  expect(await send(one.url)).toMatchObject({
    error: { code: "unavailable", message: expect.stringContaining("NOT_LEADER_OR_FOLLOWER") },
  });
});

it.each([
  [3, "undelivered", "UNKNOWN_TOPIC_OR_PARTITION: there is no topic of this name"],
  [17, "rejected", "INVALID_TOPIC_EXCEPTION"],
  [29, "undelivered", "TOPIC_AUTHORIZATION_FAILED"],
  [5, "unavailable", "LEADER_NOT_AVAILABLE"],
])(
  "the error %d about a topic is %s, and it is asked for again",
  async (code, expected, message) => {
    const { kafka, url } = await startKafka();
    const { send } = clientWith("127.0.0.1");
    kafka.topicCode = code;
    expect(await send(url)).toMatchObject({
      error: { code: expected, message: expect.stringContaining(message) },
      response: { status: code },
    });
    expect(kafka.messages).toEqual([]);
    kafka.topicCode = 0;
    expect((await send(url)).ok).toBe(true);
  },
);

it("a partition without a leader is unavailable until it has one", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  kafka.leaders = [-1];
  expect(await send(url)).toMatchObject({
    error: { code: "unavailable" },
    response: { status: 5 },
  });
  kafka.leaders = [0];
  expect((await send(url)).ok).toBe(true);
});

it.each(["plain", "scram-sha-256", "scram-sha-512"] as const)(
  "a login with %s is accepted, and a wrong one is the broker's reply",
  async (mechanism) => {
    const { kafka, url } = await startKafka();
    const { client, send } = clientWith("127.0.0.1");
    kafka.login = { username: "shop", password, mechanisms: [mechanism.toUpperCase()] };
    const login = { username: "shop", password, mechanism };
    expect((await send(url, { login })).ok).toBe(true);
    client.close();
    const wrong = await send(url, { login: { ...login, password: "wrong-password" } });
    expect(wrong).toMatchObject({
      error: {
        code: "undelivered",
        message: expect.stringContaining("SASL_AUTHENTICATION_FAILED"),
      },
      response: { status: 58 },
    });
    expect(JSON.stringify(wrong)).not.toContain("wrong-password");
    const other = {
      ...login,
      mechanism: mechanism === "plain" ? "scram-sha-512" : "plain",
    } as const;
    expect(await send(url, { login: other })).toMatchObject({
      error: {
        code: "undelivered",
        message: expect.stringContaining(`the broker takes ${mechanism.toUpperCase()}, not`),
      },
    });
    expect(kafka.messages).toHaveLength(1);
  },
);

it("a cluster that wants a login and gets none says nothing, and the failure does", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  kafka.login = { username: "shop", password, mechanisms: ["PLAIN"] };
  expect(await send(url)).toMatchObject({
    error: { code: "reset", message: expect.stringContaining("It may need a login") },
  });
});

it("a connection ends before its login does, and costs no message", async () => {
  const { kafka, url } = await startKafka();
  const { client, send } = clientWith("127.0.0.1");
  kafka.login = { username: "shop", password, mechanisms: ["PLAIN"], lastsMs: 50 };
  const login = { username: "shop", password, mechanism: "plain" } as const;
  expect((await send(url, { login })).ok).toBe(true);
  await expect.poll(() => client.openConnections()).toBe(0);
  expect((await send(url, { login })).ok).toBe(true);
});

it.each([
  ["nothing", undefined, "connect"],
  ["HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", "unavailable"],
  ["an empty response", "\0\0\0\0", "unavailable"],
  ["a negative length", "\xff\xff\xff\xff", "unavailable"],
  ["a response to another request", "\0\0\0\x04\0\0\0\x63", "unavailable"],
  ["a response that is cut off", "\0\0\0\x06\0\0\0\x01\0\0", "unavailable"],
  ["a list without end", "\0\0\0\x0a\0\0\0\x01\0\0\x7f\xff\xff\xff", "unavailable"],
  ["goodbye", "", "reset"],
])("a server that says %s ends the attempt", async (_what, greeting, code) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    if (greeting === "") socket.end();
    else if (greeting !== undefined)
      socket.once("data", () => socket.write(Buffer.from(greeting, "latin1")));
  });
  const { port, ...listening } = await listen(server, "127.0.0.1");
  closing.push(() => listening[Symbol.asyncDispose]());
  // Only one that says nothing may be too late.
  const connectMs = code === "connect" ? 300 : 60_000;
  const { client, send } = clientWith("127.0.0.1", { connectMs });
  expect(await send(`kafka://127.0.0.1:${port}`)).toMatchObject({ error: { code } });
  await expect.poll(() => client.openConnections()).toBe(0);
});

it("a connection that breaks before the confirmation is a reset", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  kafka.replies.push("drop");
  expect(await send(url)).toMatchObject({ error: { code: "reset" } });
  expect((await send(url)).ok).toBe(true);
});

it("a slow topic doesn't hold up another one, nor later messages", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  // Its deadline passes when the test says so, not on a busy machine.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  kafka.replies.push("nothing");
  const waiting = send(url, { topic: "slow", timeoutMs: 500 });
  await expect.poll(() => kafka.messages.length).toBe(1);
  expect((await send(url, { topic: "quick" })).ok).toBe(true);
  vi.advanceTimersByTime(500);
  expect(await waiting).toMatchObject({
    error: { code: "timeout", message: "The broker didn't confirm the message in time." },
  });
  // The connection that still waits isn't used again.
  expect((await send(url, { topic: "slow" })).ok).toBe(true);
  expect(kafka.connections()).toBe(3);
});

it("a call that is canceled doesn't wait for the broker", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1");
  kafka.replies.push("nothing");
  const stopping = new AbortController();
  const waiting = send(url, { signal: stopping.signal });
  await expect.poll(() => kafka.messages.length).toBe(1);
  stopping.abort();
  expect(await waiting).toMatchObject({ error: { code: "cancelled" } });
});

it("another broker of the URL is asked if the first is away", async () => {
  const [gone, { kafka, port }] = [await startKafka(), await startKafka()];
  await closing.shift()?.();
  const { send } = clientWith("127.0.0.1");
  const url = `kafka://127.0.0.1:${gone.port},127.0.0.1:${port}`;
  expect((await send(url)).ok).toBe(true);
  expect(kafka.messages).toHaveLength(1);
});

it("an idle connection closes, and a full client makes room", async () => {
  const { kafka, url } = await startKafka();
  const { client, send } = clientWith("127.0.0.1", { maxConnections: 1, idleMs: 100 });
  expect((await send(url, { topic: "one" })).ok).toBe(true);
  expect((await send(url, { topic: "two" })).ok).toBe(true);
  await expect.poll(() => client.openConnections()).toBe(0);
  kafka.replies.push("nothing");
  const stopping = new AbortController();
  const busy = send(url, { topic: "one", signal: stopping.signal });
  await expect.poll(() => kafka.messages.length).toBe(3);
  expect(await send(url, { topic: "two" })).toMatchObject({ error: { code: "connect" } });
  stopping.abort();
  await busy;
});

it("more messages than a topic may have wait, and all arrive", async () => {
  const { kafka, url } = await startKafka();
  const { send } = clientWith("127.0.0.1", { maxChannels: 2 });
  const results = await Promise.all(Array.from({ length: 9 }, () => send(url)));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(kafka.messages).toHaveLength(9);
  kafka.replies.push("nothing");
  const late = await Promise.all([1, 2, 3, 4].map(() => send(url, { timeoutMs: 300 })));
  expect(late.every((each) => !each.ok && each.error.code === "timeout")).toBe(true);
  expect((await send(url)).ok).toBe(true);
});
