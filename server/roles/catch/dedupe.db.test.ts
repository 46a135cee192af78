import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { send, sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

type Said = { readonly event: number; readonly response: Record<string, string> };

/**
 * Sends every event once over one connection, in its own order, each after the previous response.
 */
function sendAll(port: number, path: string, events: readonly number[]): Promise<Said[]> {
  return new Promise((resolve, reject) => {
    const said: Said[] = [];
    const socket = connect(port, "127.0.0.1");
    const next = () => {
      const event = events[said.length];
      if (event === undefined) {
        socket.destroy();
        resolve(said);
        return;
      }
      const body = `{"id":"evt_${event}"}`;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    let received = "";
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk;
      const end = received.indexOf("}", received.indexOf("\r\n\r\n"));
      if (end === -1) return;
      if (!received.startsWith("HTTP/1.1 200 ")) return reject(new Error(received));
      said.push({
        event: events[said.length] ?? -1,
        response: JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4, end + 1)),
      });
      received = received.slice(end + 1);
      next();
    });
  });
}

const events = Array.from({ length: 40 }, (_, event) => event);

/**
 * `connections` × all events, each connection starting with a different one, spread over the ports.
 */
async function storm(ports: readonly number[], path: string, connections: number): Promise<Said[]> {
  const sending = Array.from({ length: connections }, (_, index) => {
    const turned = [...events.slice(index % 40), ...events.slice(0, index % 40)];
    return sendAll(ports[index % ports.length] ?? 0, path, turned);
  });
  return (await Promise.all(sending)).flat();
}

function expectOneAcceptedEach(said: readonly Said[], known: Map<number, string>): void {
  for (const { event, response } of said) {
    if (response.status !== "accepted") continue;
    expect(known.has(event)).toBe(false);
    known.set(event, response.deliveryId ?? "");
  }
  expect(known.size).toBe(40);
  for (const { event, response } of said) {
    if (response.status === "accepted") continue;
    expect(response.status).toBe("duplicate");
    expect(response.originalDeliveryId).toBe(known.get(event));
  }
}

test("a storm of 50 connections × the same 40 events: 40 accepted, all others " +
  "duplicates of them, over two listeners and after a restart", {
  timeout: 300_000,
}, async () => {
  const hook = await addHook(bench.db);
  await addAction(bench.db, hook);
  const known = new Map<number, string>();
  const second = await startTestCatch(bench.url);
  const first = await storm([bench.caught.port, second.port], hook.path, 50);
  expect(first.length).toBe(2_000);
  expectOneAcceptedEach(first, known);
  await second.stop();

  const restarted = await startTestCatch(bench.url);
  const again = await storm([restarted.port], hook.path, 10);
  expect(again.every(({ response }) => response.status === "duplicate")).toBe(true);
  expectOneAcceptedEach(again, known);
  await restarted.stop();

  const byStatus = await bench.db.delivery.groupBy({
    by: ["status"],
    where: { hookId: hook.id },
    _count: true,
  });
  expect(Object.fromEntries(byStatus.map(({ status, _count }) => [status, _count]))).toEqual({
    accepted: 40,
    duplicate: 2_360,
  });
  const runs = await bench.db.queuedRun.findMany({
    where: { hookId: hook.id },
    select: { deliveryId: true },
  });
  expect(new Set(runs.map(({ deliveryId }) => deliveryId))).toEqual(new Set(known.values()));
  expect(runs.length).toBe(40);
});

const long = "é".repeat(12_000);

test.each([
  ["an id of 12 KB", `"${long}a"`, `"${long}b"`],
  ["an id with NUL", '"a\\u0000b"', '"a\\u0000c"'],
  ["an id that is a NUL", '"\\u0000"', '"\\u0000\\u0000"'],
  ["lone surrogates", '"\\ud800"', '"\\udc00"'],
  ["a lone surrogate and U+FFFD", '"\\ud800"', '"\\ufffd"'],
  ["integers beyond 2^53", "9007199254740993", "9007199254740992"],
  ["numbers of 30 digits", "123456789012345678901234567890", "123456789012345678901234567891"],
  ["a number and its text", "1", '"1"'],
  ["NFC and NFD", '"\u00e9"', '"e\u0301"'],
  ["letter case", '"A"', '"a"'],
  ["white space", '"a"', '"a "'],
])("%s: a repeat is a duplicate, a different one is not", async (_name, id, otherId) => {
  const hook = await addHook(bench.db);
  const states = [];
  for (const value of [id, id, otherId, otherId, id]) {
    const response = await sendJson(bench.caught.port, hook.path, `{"x":[{"id":7}],"id":${value}}`);
    states.push(response.status === 200 ? response.json.status : response.status);
  }
  expect(states).toEqual(["accepted", "duplicate", "accepted", "duplicate", "duplicate"]);
});

test("events without identity are unique: no id, null, an empty text, an object", async () => {
  const hook = await addHook(bench.db, { dedupe: { from: "body", path: "id" } });
  for (const body of [
    "{}",
    '{"id":null}',
    '{"id":""}',
    '{"id":{}}',
    '{"id":[1]}',
    '{"id":true}',
    '{"id":0}',
    '{"id":"null"}',
    "[]",
    '"id"',
  ]) {
    for (const _ of [1, 2])
      expect((await sendJson(bench.caught.port, hook.path, body)).json.status).toBe("accepted");
  }
});

test("the same id at two hooks is two events, and a rule may use a header or the content", async () => {
  const [a, b] = [
    await addHook(bench.db, { dedupe: { from: "body", path: "id" } }),
    await addHook(bench.db, { dedupe: { from: "content" } }),
  ];
  const states = async (path: string, bodies: readonly string[]) => {
    const found = [];
    for (const body of bodies)
      found.push((await sendJson(bench.caught.port, path, body)).json.status);
    return found;
  };
  expect(await states(a.path, ['{"id":1}', '{"id":1,"n":2}'])).toEqual(["accepted", "duplicate"]);
  const content = ['{"id":1}', '{"id":1}', '{"id":1 }'];
  expect(await states(b.path, content)).toEqual(["accepted", "duplicate", "accepted"]);
});

test("a rule with several fields: each state of a message is one event, however often it is sent", async () => {
  const rule = (path: string) => ({ from: "body", path }) as const;
  const hook = await addHook(bench.db, {
    dedupe: { from: "all", of: [rule("message_uuid"), rule("status")] },
  });
  const states = [];
  for (const status of ["submitted", "delivered", "submitted", "read", "delivered"]) {
    const { json } = await sendJson(
      bench.caught.port,
      hook.path,
      JSON.stringify({ message_uuid: "m1", status }),
    );
    states.push(json.status);
  }
  expect(states).toEqual(["accepted", "accepted", "duplicate", "accepted", "duplicate"]);
});

test("within its window the same content is a duplicate, and after it a new event, once", async () => {
  const hook = await addHook(bench.db, { dedupe: { from: "content", withinSeconds: 3_600 } });
  await addAction(bench.db, hook);
  const say = async () => (await sendJson(bench.caught.port, hook.path, '{"code":"SYNC"}')).json;
  const grow = (seconds: number) => bench.db.$executeRaw`
    update dedupe_keys set created_at = created_at - make_interval(secs => ${seconds}) where delivery_id in (select id from deliveries where hook_id = ${hook.id}::uuid)`;
  const first = await say();
  await grow(3_500);
  expect([first.status, (await say()).originalDeliveryId]).toEqual(["accepted", first.deliveryId]);
  await grow(100);

  const responses = await Promise.all(Array.from({ length: 20 }, say));
  const accepted = responses.filter(({ status }) => status === "accepted");
  expect(accepted).toHaveLength(1);
  expect(accepted[0]?.deliveryId).not.toBe(first.deliveryId);
  for (const { status, originalDeliveryId } of responses)
    if (status !== "accepted")
      expect([status, originalDeliveryId]).toEqual(["duplicate", accepted[0]?.deliveryId]);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(2);
  const key = await bench.db.dedupeKey.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect([key.deliveryId, key.seenCount <= 20]).toEqual([accepted[0]?.deliveryId, true]);
});

test("an empty body never equals another", async () => {
  const hook = await addHook(bench.db, { dedupe: { from: "content" } });
  for (const _ of [1, 2]) expect((await send(bench.caught.port, hook.path)).status).toBe(200);
  expect(await bench.db.delivery.count({ where: { hookId: hook.id, status: "accepted" } })).toBe(2);
});

test.each([
  ["plain", (text: string) => Buffer.from(text), {}],
  ["gzip", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
])(
  "a captured delivery is the same event whatever its unsigned headers (%s)",
  async (_, encode, own) => {
    const hook = await addHook(bench.db, {
      provider: "github",
      signingSecret: "s3cret",
      dedupe: { from: "body", path: "id" },
    });
    await addAction(bench.db, hook);
    const body = encode('{"id":"evt_1","type":"charge.succeeded"}');
    const signature = `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`;
    const signed = { "x-hub-signature-256": signature };
    const json = { "content-type": "application/json" };
    const first = await send(bench.caught.port, hook.path, {
      body,
      headers: { ...json, ...own, ...signed },
    });
    expect(first.json.status).toBe("accepted");
    const others: Record<string, string>[] = [
      { "content-type": "text/html", ...own },
      { "content-type": "application/x-www-form-urlencoded", ...own },
      { "content-type": "multipart/form-data; boundary=x", ...own },
      { "content-type": "text/html" },
      { ...json, "content-encoding": "br" },
      { ...json, "content-encoding": "gzip" },
      { ...json, "content-encoding": "compress" },
    ];
    for (const headers of others) {
      const again = await send(bench.caught.port, hook.path, {
        body,
        headers: { ...headers, ...signed },
      });
      expect([headers, again.json.status]).toEqual([headers, "duplicate"]);
    }
    expect(await countRuns(bench.db, { hookId: hook.id })).toBe(1);
  },
);

test("the same number in two fields of a rule is two events", async () => {
  const hook = await addHook(bench.db, {
    dedupe: [
      { from: "body", path: "order.id" },
      { from: "body", path: "refund.id" },
    ],
  });
  const say = async (body: string) =>
    (await sendJson(bench.caught.port, hook.path, JSON.parse(body))).json.status;
  expect(await say('{"order":{"id":1001}}')).toBe("accepted");
  expect(await say('{"refund":{"id":1001}}')).toBe("accepted");
  expect(await say('{"order":{"id":1001},"again":true}')).toBe("duplicate");
});
