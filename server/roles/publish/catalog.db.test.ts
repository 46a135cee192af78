import { expect, test } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { batchPath, withPublish } from "#server/testing/with-publish.ts";

const bench = withPublish();

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["total"],
  properties: {
    total: { type: "integer" },
    lines: { type: "array", items: { properties: { email: { type: "string", format: "email" } } } },
  },
};

async function addType(accountId: string, onMismatch: "warn" | "reject", of: object = schema) {
  const data = { accountId, name: "invoice.paid", schema: of, onMismatch };
  await bench.db.eventType.upsert({
    where: { accountId_name: { accountId, name: "invoice.paid" } },
    create: data,
    update: data,
  });
}

const wrong = { type: "invoice.paid", data: { total: 1, lines: [{}, { email: "nobody" }] } };
const right = { type: "invoice.paid", data: { total: 1 } };

test("data that doesn't match is rejected with its path, or stored with a warning", async () => {
  const { accountId, token } = await bench.addPublisher();
  await addType(accountId, "reject");
  const rejected = await bench.publish(token, wrong);
  expect([rejected.status, rejected.json.code]).toEqual([400, "schema_mismatch"]);
  expect(JSON.parse(rejected.text).errors).toEqual([
    {
      path: "data.lines.1.email",
      code: "schema_mismatch",
      message: 'must match format "email"',
    },
  ]);
  const events = [right, { type: "other", data: 1 }, { type: "invoice.paid", data: {} }];
  const batch = await bench.publish(token, { events }, { path: batchPath });
  expect(JSON.parse(batch.text).errors).toMatchObject([{ path: "events.2.data" }]);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(0);
  expect((await bench.publish(token, right)).status).toBe(202);

  await addType(accountId, "warn");
  const warned = () => bench.publish(token, wrong);
  await expect.poll(async () => (await warned()).status).toBe(202);
  const { id = "", warning } = (await warned()).json;
  expect(warning).toBe('data.lines.1.email: must match format "email"');
  expect((await bench.db.event.findUniqueOrThrow({ where: { id } })).warning).toBe(warning);
});

test("a mismatch at a name that PostgreSQL can't store is a warning, not an error", async () => {
  const { accountId, token } = await bench.addPublisher();
  await addType(accountId, "warn", { additionalProperties: { type: "integer" } });
  const warned = await bench.publish(token, { type: "invoice.paid", data: { "a\u0000b": "" } });
  expect(warned.status).toBe(202);
  const { id = "", warning } = warned.json;
  expect(warning).toBe("data.a\ufffdb: must be integer");
  expect((await bench.db.event.findUniqueOrThrow({ where: { id } })).warning).toBe(warning);
});

test("a schema of draft 7 is checked, and one that can't be used is named", async () => {
  const { accountId, token } = await bench.addPublisher();
  const old = { $schema: "http://json-schema.org/draft-07/schema#", type: "string" };
  await addType(accountId, "reject", old);
  expect((await bench.publish(token, right)).json.code).toBe("schema_mismatch");
  await addType(accountId, "reject", { $ref: "https://example.com/elsewhere.json" });
  await expect
    .poll(async () => (await bench.publish(token, right)).json.detail)
    .toContain("not usable");
  expect((await bench.publish(token, right)).status).toBe(503);
});

test("data that leads a schema around in circles doesn't match it", async () => {
  const { accountId, token } = await bench.addPublisher();
  await addType(accountId, "reject", { $ref: "#" });
  const rejected = await bench.publish(token, right);
  expect([rejected.status, rejected.json.code]).toEqual([400, "schema_mismatch"]);
  expect(rejected.json.detail).toContain("in circles");
  await addType(accountId, "warn", { $ref: "#" });
  const warned = () => bench.publish(token, right);
  await expect.poll(async () => (await warned()).status).toBe(202);
});

test("data that takes forever to check holds up neither other types nor other accounts", async () => {
  const [slow, other] = [await bench.addPublisher(), await bench.addPublisher()];
  // RE2 can't look ahead, so this one is matched by backtracking.
  const pattern = { type: "object", properties: { a: { pattern: "^(?=x)(x+x+)+y$" } } };
  await addType(slow.accountId, "reject", pattern);
  await bench.db.eventType.create({
    data: { accountId: slow.accountId, name: "invoice.sent", schema, onMismatch: "reject" },
  });
  await addType(other.accountId, "reject");
  expect((await bench.publish(other.token, right)).status).toBe(202);
  const event = { type: "invoice.paid", data: { a: "x".repeat(40) } };
  const attacks = Array.from({ length: 20 }, () => bench.publish(slow.token, event));
  const fine = bench.publish(other.token, right);
  expect(await isInTime(fine, 4_000, () => bench.publish("none", {}))).toBe(true);
  expect((await fine).status).toBe(202);
  for (const { status, json } of await Promise.all(attacks))
    expect([status, json.code]).toEqual([503, "unavailable"]);
  // On a busy machine, it may never have got its turn before.
  const attack = async () => {
    const { json, headers } = await bench.publish(slow.token, event);
    return [json.detail, headers.get("retry-after")];
  };
  await expect.poll(attack).toEqual([expect.stringContaining("can't be checked"), "60"]);
  const sent = { ...right, type: "invoice.sent" };
  expect((await bench.publish(slow.token, sent)).status).toBe(202);
  const { status } = await bench.publish(slow.token, { ...sent, data: {} });
  expect(status).toBe(400);
  expect(await bench.db.event.count({ where: { accountId: slow.accountId } })).toBe(1);
});

test("a schema with 1,600 properties checks the first event of a new thread", async () => {
  const { accountId, token } = await bench.addPublisher();
  const names = Array.from({ length: 1_600 }, (_, index) => `property_${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  await addType(accountId, "reject", { type: "object", properties, required: names });
  const data = Object.fromEntries(names.map((name) => [name, "x"]));
  // After 503 on a machine that is slow for a moment, the type isn't checked for a minute.
  const publish = async () => (await bench.publish(token, { type: "invoice.paid", data })).status;
  await expect.poll(publish, { timeout: 90_000, interval: 500 }).toBe(202);
  const wrongData = { ...data, property_1599: 1 };
  const rejected = await bench.publish(token, { type: "invoice.paid", data: wrongData });
  expect([rejected.status, rejected.json.code]).toEqual([400, "schema_mismatch"]);
});
