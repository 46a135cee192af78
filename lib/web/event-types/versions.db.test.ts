import { beforeAll, expect, it } from "vitest";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const path = "/event-types/order.paid/versions";
const object = (total: object) => ({ type: "object", properties: { total }, required: ["total"] });
const next = {
  version: "2026-03-01",
  schema: object({ type: "integer" }),
  example: { total: 4200 },
  transform: "export default ({ payload }) => ({ total: String(payload.data.total) })",
  note: "`total` is a number of cents.",
};
const send = (body: object, to = path) => api.send("POST", to, body);
const subscribe = async (fields: object = {}) => {
  const receiverUrl = `https://example.com/${Math.random()}`;
  return (await api.send("POST", "/subscriptions", { receiverUrl, ...fields })).body;
};

beforeAll(async () => {
  const { status, body } = await api.send("PUT", "/event-types/order.paid", {
    schema: object({ type: "string" }),
    example: { total: "42.00" },
    onMismatch: "reject",
  });
  expect([status, body.version]).toEqual([200, "first"]);
});

it("a version that breaks receivers needs a transform, which is tried on its example", async () => {
  const refused = await send({ ...next, transform: null });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, "transform"]);
  expect(refused.body.detail).toContain("data.total may be integer, and was string");
  const bare = await send({ ...next, example: null });
  expect(bare.body.detail).toMatch(/^example: must be given/);
  const wrong = await send({ ...next, transform: "export default ({ payload }) => payload.data" });
  expect(wrong.body.detail).toContain("doesn't match version first: data.total: must be string");
  const broken = await send({ ...next, transform: "export default (" });
  expect(broken.body.errors[0].path).toBe("transform");
  expect((await api.send("GET", path)).body.data).toHaveLength(1);
});

it("a check says what breaks, and what stored events say, and changes nothing", async () => {
  const dataJson = '{"total":"1.00"}';
  await storeEvents(api.db, [newEvent(api.account.id, { type: "order.paid", dataJson })]);
  const { status, body } = await send(next, `${path}/check`);
  expect([status, body]).toEqual([
    200,
    {
      breaking: [{ path: "data.total", message: "may be integer, and was string" }],
      stored: { checked: 1, mismatched: 1, reason: "data.total: must be integer" },
      problem: null,
    },
  ]);
  const without = await send({ ...next, transform: null }, `${path}/check`);
  expect(without.body.problem).toMatch(/^transform: must be given/);
  expect((await api.send("GET", path)).body.data).toHaveLength(1);
});

it("is published, is the newest, and new subscriptions get it while others stay", async () => {
  const before = await subscribe();
  expect(before.version).toBe("first");
  const made = await send(next);
  expect([made.status, made.body.version, made.body.isNewest]).toEqual([201, "2026-03-01", true]);
  expect((await api.send("GET", "/event-types/order.paid")).body).toMatchObject({
    ...{ version: "2026-03-01", example: { total: 4200 } },
  });
  const { data } = (await api.send("GET", path)).body;
  expect(data.map(({ version }: { version: string }) => version)).toEqual(["2026-03-01", "first"]);
  expect((await subscribe()).version).toBe("2026-03-01");
  expect((await subscribe({ version: "newest" })).version).toBe("newest");
  expect((await api.send("GET", `/subscriptions/${before.id}`)).body.version).toBe("first");
  const moved = await api.send("PATCH", `/subscriptions/${before.id}`, { version: "2026-03-01" });
  expect(moved.body.version).toBe("2026-03-01");
  await subscribe({ eventTypes: ["order.refunded"] });
  const counted = (await api.send("GET", path)).body.data as { subscribers: number }[];
  expect(counted.map(({ subscribers }) => subscribers)).toEqual([3, 0]);
  const odd = await api.send("PATCH", `/subscriptions/${before.id}`, { version: "2026-02-30" });
  expect([odd.status, odd.body.errors[0].path]).toEqual([400, "version"]);
});

it("the next one is later, and a former one can end", async () => {
  const early = await send({ ...next, transform: null });
  expect(early.body.detail).toBe("version: must be a date after 2026-03-01.");
  const endsAt = "2027-01-01T00:00:00.000Z";
  const ended = await api.send("PATCH", `${path}/first`, { endsAt });
  expect([ended.status, ended.body.endsAt]).toEqual([200, endsAt]);
  const newest = await api.send("PATCH", `${path}/2026-03-01`, { endsAt });
  expect([newest.status, newest.body.errors[0].path]).toEqual([400, "endsAt"]);
  expect((await api.send("PATCH", `${path}/2020-01-01`, {})).status).toBe(404);
  expect((await api.send("GET", "/event-types/none/versions")).status).toBe(404);
});

it("a change that breaks receivers is only possible as a version", async () => {
  const put = (schema: object) =>
    api.send("PUT", "/event-types/order.paid", { schema, onMismatch: "reject" });
  const refused = await put(object({ type: "number" }));
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, "schema"]);
  expect(refused.body.detail).toContain("Publish a new version instead");
  const { properties, ...rest } = object({ type: "integer" });
  const wider = { ...rest, properties: { ...properties, note: { type: "string" } } };
  expect((await put(wider)).status).toBe(200);
});
