import { beforeAll, describe, expect, it } from "vitest";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { previewTransform } from "#lib/services/subscriptions/try-transform.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const receiverUrl = "https://example.com/in";
const transform = "export default ({ payload }) => ({ text: payload.data.amount.toFixed(2) })";

const create = (fields: object) => api.send("POST", "/subscriptions", { receiverUrl, ...fields });

describe("the transform of a subscription", () => {
  it("is stored, shown, changed, removed, and in the audit log", async () => {
    const made = await create({ transform });
    expect([made.status, made.body.transform]).toEqual([201, transform]);
    const path = `/subscriptions/${made.body.id}`;
    const other = "export default () => null";
    expect((await api.send("PATCH", path, { transform: other })).body.transform).toBe(other);
    expect((await api.send("PATCH", path, { description: "a" })).body.transform).toBe(other);
    expect((await api.send("PATCH", path, { transform: null })).body.transform).toBeNull();
    const { body } = await api.send("GET", "/audit?limit=20");
    const changes = JSON.stringify(body.data);
    expect(changes).toContain('"transform"');
  });

  it.each([
    [
      "doesn't compile",
      "export default ({ payload }) => {\n  return payload.;\n}",
      2,
      /expecting field name/,
    ],
    ["throws when it is loaded", "\n\nthrow new Error('no')", 3, /no/],
    ["exports no function", "const a = 1", undefined, /export default \(\{ payload \}\) => …/],
  ])("that %s isn't saved, and the error names its line", async (_, code, line, message) => {
    const before = await api.db.subscription.count();
    const { status, body } = await create({ transform: code });
    expect([status, body.code]).toEqual([400, "template_invalid"]);
    expect(body.errors).toMatchObject([
      { path: "transform", message: expect.stringMatching(message), ...(line && { line }) },
    ]);
    expect(await api.db.subscription.count()).toBe(before);
    const made = await create({});
    const patched = await api.send("PATCH", `/subscriptions/${made.body.id}`, { transform: code });
    expect([patched.status, patched.body.errors[0].line]).toEqual([400, line]);
  });

  it("isn't for a callback of an AI assistant, which reads events as they are", async () => {
    const { body } = await create({});
    await api.db.eventCallback.create({
      data: {
        ...{ subscriptionId: body.id, accountId: api.account.id, callbackId: "cb_1" },
        ...{ tokenId: (await api.db.apiToken.findFirstOrThrow()).id, expiresAt: new Date() },
        secretHash: new Uint8Array(32),
      },
    });
    const refused = await api.send("PATCH", `/subscriptions/${body.id}`, { transform });
    expect(refused.body.errors).toMatchObject([{ path: "transform", code: "not_allowed" }]);
  });
});

describe("a check of a transform", () => {
  const tried = { transform, eventTypes: ["invoice.*"], recipient: "cust_7" };
  const publish = (publicId: string, type: string, data: object, recipient = "cust_7") =>
    storeEvents(api.db, [
      newEvent(api.account.id, { publicId, type, recipient, dataJson: JSON.stringify(data) }),
    ]);

  beforeAll(async () => {
    await publish("e_good", "invoice.paid", { amount: 12 });
    await publish("e_text", "invoice.paid", { amount: "12" });
    await publish("e_none", "invoice.void", {});
    await publish("e_other", "order.paid", {});
    await publish("e_theirs", "invoice.paid", {}, "cust_8");
  });

  it("counts the stored events that it would have got, and names those that it fails for", async () => {
    const { status, body } = await api.send("POST", "/subscriptions/check-transform", tried);
    expect([status, body]).toMatchObject([200, { checked: 3, failed: 2, skipped: 0 }]);
    expect(body.failures).toMatchObject(
      [
        { eventId: "e_none", type: "invoice.void", line: 1, message: /TypeError/ },
        { eventId: "e_text", type: "invoice.paid", line: 1, message: /TypeError/ },
      ].map((failure) => ({ ...failure, message: expect.stringMatching(failure.message) })),
    );
  });

  it("leaves out what the filter does, and counts what it sends nothing for", async () => {
    const filter = { all: [{ path: "data.amount", op: "exists" }] };
    const skipping =
      "export default ({ payload: { data } }) => typeof data.amount === 'string' ? null : data";
    const input = { ...tried, filter, transform: skipping };
    const { body } = await api.send("POST", "/subscriptions/check-transform", input);
    expect(body).toEqual({ checked: 2, failed: 0, skipped: 1, failures: [] });
  });

  it("refuses code that can't be loaded", async () => {
    const input = { ...tried, transform: "export default (" };
    const { status, body } = await api.send("POST", "/subscriptions/check-transform", input);
    expect([status, body.errors[0].path]).toEqual([400, "transform"]);
  });

  it("is previewed on the newest event, a chosen one, and an example", async () => {
    const context = serviceContext({ type: "system", accountId: api.account.id });
    const preview = (fields: object) =>
      previewTransform(context, { ...tried, eventId: null, ...fields });
    expect(await preview({})).toMatchObject({
      choices: [{ id: "e_none" }, { id: "e_text" }, { id: "e_good" }],
      event: { id: "e_none", type: "invoice.void" },
      output: null,
      error: { line: 1, message: expect.stringContaining("TypeError") },
    });
    const good = await preview({ eventId: "e_good" });
    expect(good).toMatchObject({
      event: { id: "e_good" },
      output: '{"text":"12.00"}',
      error: null,
    });
    expect(JSON.parse(good.input)).toMatchObject({ id: "e_good", data: { amount: 12 } });
    const version = {
      ...{ version: "2026-03-01", schema: null, example: { cents: 500 }, note: null },
      transform: "export default ({ payload }) => ({ amount: payload.data.cents / 100 })",
    };
    await api.send("PUT", "/event-types/invoice.paid", { example: { amount: 1 } });
    const published = await api.send("POST", "/event-types/invoice.paid/versions", version);
    expect(published.status).toBe(201);
    const example = { isExample: true, eventTypes: ["invoice.paid"] };
    expect(await preview({ ...example, version: "first" })).toMatchObject({
      event: { id: null, type: "invoice.paid" },
      output: '{"text":"5.00"}',
    });
    expect(await preview({ ...example, version: "newest" })).toMatchObject({
      output: null,
      error: { message: expect.stringContaining("TypeError") },
    });
  });
});
