import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const createHook = async (token?: string): Promise<string> => (await api.createHook({}, token)).id;
const { createAction } = api;
describe("GET /deliveries/{id}", () => {
  const show = async (fields: Parameters<typeof storeDelivery>[3]) => {
    const id = await storeDelivery(api.db, api.account.id, await createHook(), fields);
    return send("GET", `/deliveries/${id}`);
  };

  it("shows the received request, with its runs", async () => {
    const hookId = await createHook();
    const actionId = await createAction(hookId);
    const id = await storeDelivery(api.db, api.account.id, hookId, {
      text: '{"id":"e1"}',
      path: "/orders/eu",
      query: "x=1&token=hunter2",
      headersJson:
        '[["Content-Type","application/json"],["X-A","1"],["x-a","2"],["Stripe-Signature","t=1"],["Authorization","Bearer hunter2"]]',
      eventId: "e1",
      eventType: "t",
      verificationOutcome: "verified",
      verificationScheme: "stripe",
    });
    const { status, body } = await send("GET", `/deliveries/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      hookId,
      status: "accepted",
      reason: null,
      detail: null,
      method: "POST",
      path: "/orders/eu",
      query: "x=1&token=[redacted]",
      headers: {
        "content-type": "application/json",
        "x-a": "1, 2",
        "stripe-signature": "t=1",
        authorization: "[redacted]",
      },
      contentType: "application/json",
      bodySize: 11,
      body: '{"id":"e1"}',
      bodyEncoding: "utf8",
      payload: { id: "e1" },
      eventId: "e1",
      eventType: "t",
      duplicateOf: null,
      verification: { outcome: "verified", scheme: "stripe", reason: null },
      sourceIp: "127.0.0.1",
      runs: [{ actionId, status: "queued", deliveryId: id, attemptCount: 0 }],
    });
    expect(body.rawHeaders).toContainEqual(["x-a", "2"]);
    expect(body).not.toHaveProperty("payloadError");
    expect(body).not.toHaveProperty("payloadErrorCode");
  });

  it("the payload has the digits it was sent with", async () => {
    const text = '{ "n": 12345678901234567890123, "p": 1.10, "e": 1e400, "z": -0 }';
    expect((await show({ text })).text).toContain(`"payload":${text},`);
  });

  it("shows 1,000 levels, and says why there is no payload for 7,000", async () => {
    const nest = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await show({ text: nest(1_000) })).text).toContain(`"payload":${nest(1_000)}`);
    expect((await show({ text: nest(7_000) })).body).toMatchObject({
      payload: null,
      payloadError: "The JSON is nested deeper than 1000 levels.",
      payloadErrorCode: "too_deep",
      body: nest(7_000),
    });
  });

  it("shows a byte-order mark, NUL, and half surrogates", async () => {
    const marked = await show({ text: '\ufeff{"a":"\\u0000\\ud800"}' });
    expect(marked.body).toMatchObject({
      payload: { a: "\u0000\ud800" },
      body: '\ufeff{"a":"\\u0000\\ud800"}',
    });
  });

  it("bytes that aren't text are base64, byte for byte", async () => {
    const body = Buffer.from([0xff, 0x00, 0xfe]);
    expect((await show({ body, contentType: "application/octet-stream" })).body).toMatchObject({
      body: body.toString("base64"),
      bodyEncoding: "base64",
      payload: null,
      payloadError: "The body is neither JSON, XML, nor a form.",
      payloadErrorCode: "unsupported_type",
    });
  });

  it("a compressed body is parsed, and stored as received", async () => {
    const body = gzipSync('{"a":1}');
    const headersJson = '[["content-encoding","gzip"]]';
    expect((await show({ body, headersJson })).body).toMatchObject({
      bodyEncoding: "base64",
      payload: { a: 1 },
    });
  });

  it("a form's fields are its payload, and an invalid JSON body says so", async () => {
    const form = { text: "a=1&b=2&b=3", contentType: "application/x-www-form-urlencoded" };
    expect((await show(form)).body.payload).toEqual({ a: "1", b: ["2", "3"] });
    expect((await show({ text: "{" })).body).toMatchObject({
      payload: null,
      payloadError: expect.any(String),
      payloadErrorCode: "invalid_json",
    });
  });

  it("10 MiB are returned", { tags: "variant" }, async () => {
    const text = JSON.stringify({ a: "x".repeat(10 * 1024 * 1024 - 10) });
    const response = await show({ text });
    expect(response.body.payload.a.length).toBe(10 * 1024 * 1024 - 10);
  });
});

describe("DELETE /deliveries/{id}", () => {
  it("deletes its runs and attempts too, and the same event sent again is still a duplicate", async () => {
    const hookId = (await api.createHook({})).id;
    await api.createAction(hookId);
    const keyHash = Buffer.alloc(32, 9);
    const id = await storeDelivery(api.db, api.account.id, hookId, { keyHash });
    const beside = await storeDelivery(api.db, api.account.id, hookId);
    const [run] = await readRuns(api.db, { deliveryId: id });
    await api.db.$executeRaw`
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms)
      values (gen_random_uuid(), ${run?.id}::uuid, ${api.account.id}::uuid, 1, now(), 1)`;

    await api.db
      .$executeRaw`update queue set lease_id = gen_random_uuid() where id = ${run?.id}::uuid`;
    const busy = await send("DELETE", `/deliveries/${id}`);
    expect([busy.status, busy.body.code]).toEqual([409, "conflict"]);
    await api.db.$executeRaw`update queue set lease_id = null where id = ${run?.id}::uuid`;

    expect((await send("DELETE", `/deliveries/${id}`)).status).toBe(204);
    expect((await send("GET", `/deliveries/${id}`)).status).toBe(404);
    expect((await send("DELETE", `/deliveries/${id}`)).status).toBe(404);
    expect(await readRuns(api.db, { deliveryId: id })).toEqual([]);
    const [left] = await api.db.$queryRaw<
      { count: bigint }[]
    >`select count(*) from attempts where run_id = ${run?.id}::uuid`;
    expect(left?.count).toBe(0n);
    expect((await send("GET", `/deliveries/${beside}`)).body.runs).toHaveLength(1);
    const again = await storeDelivery(api.db, api.account.id, hookId, { keyHash });
    expect((await send("GET", `/deliveries/${again}`)).body).toMatchObject({
      status: "duplicate",
      duplicateOf: id,
      responseMs: expect.any(Number),
    });
  });
});
