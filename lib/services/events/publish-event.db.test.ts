import { beforeAll, expect, it } from "vitest";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { putEventType } from "#lib/services/event-types.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { previewEvent, publishEvent } from "./publish-event.ts";

const { db } = withDatabase();
let accountId: string;

beforeAll(async () => {
  const script = new URL("../threads/web-thread.ts", import.meta.url);
  Object.assign(globalThis, { catchmentThreadScript: script });
  accountId = await addAccount(db);
});

const context = () => testContext(db, accountId);
const publish = (body: string) => publishEvent(context(), { body });
const preview = (body: string) => previewEvent(context(), { body });

it("an event that a person sends reaches what the preview says, digit by digit", async () => {
  const of = { recipient: "cust_1", eventTypes: ["order.*"] };
  const id = await addSubscription(db, accountId, of);
  await addSubscription(db, accountId, { recipient: "cust_2", eventTypes: ["*"] });
  const body = '{"type": "order.paid", "recipient": "cust_1", "data": {"amount": 1.10}}';
  const { reach } = await preview(body);
  expect(reach.subscriptions.map((subscription) => subscription.id)).toEqual([id]);
  const sent = await publish(body);
  expect(sent).toMatchObject({ type: "order.paid", runs: 1, warning: null, problem: null });
  const event = await db.event.findUniqueOrThrow({ where: { id: sent.id } });
  expect(Buffer.from(event.body).toString()).toContain('"data":{"amount": 1.10}');
  const queued = await db.queuedRun.findMany({ where: { eventId: sent.id } });
  expect(queued.map(({ targetId }) => targetId)).toEqual([id]);
});

it("an event that reaches no one says why, and who would get it", async () => {
  const of = { recipient: "cust_3", eventTypes: ["user.created"] };
  const id = await addSubscription(db, accountId, of);
  const body = '{"type": "user.created", "data": {}}';
  const problem =
    "There is no subscription without a recipient. A subscription of cust_3 gets user.created.";
  expect((await preview(body)).reach).toEqual({ subscriptions: [], problem, elsewhere: "cust_3" });
  expect(await publish(body)).toMatchObject({ runs: 0, problem });
  await db.subscription.update({ where: { id }, data: { status: "disabled" } });
  const toRecipient = '{"type": "user.created", "recipient": "cust_3", "data": {}}';
  expect((await preview(toRecipient)).reach.problem).toBe(
    "The only subscription of cust_3 that gets user.created is disabled.",
  );
});

it("data that breaks its schema is sent with a warning, or rejected at its path", async () => {
  const schema = { type: "object", properties: { amount: { type: "integer" } } };
  const save = (onMismatch: "warn" | "reject") =>
    putEventType(context(), { name: "invoice.paid", schema, onMismatch });
  const body = '{"type": "invoice.paid", "data": {"amount": "12"}}';
  await save("warn");
  expect(await publish(body)).toMatchObject({ warning: "data.amount: must be integer" });
  await save("reject");
  expect(await preview(body)).toMatchObject({
    hasSchema: true,
    finding: { path: "data.amount", message: "must be integer", isRequired: true },
  });
  await expect(publish(body)).rejects.toMatchObject({
    code: "schema_mismatch",
    errors: [{ path: "data.amount", code: "schema_mismatch", message: "must be integer" }],
  });
});

it.for([
  ["{", "invalid_json"],
  ['{"type": "Not a type", "data": 1}', "invalid_request"],
  ['{"type": "a.b"}', "invalid_request"],
])("%s is rejected as by the API: %s", async ([body = "", code]) => {
  await expect(publish(body)).rejects.toMatchObject({ code });
});
