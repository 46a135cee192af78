import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { idFloor } from "#lib/db/postgres/page.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const createHook = async (token?: string): Promise<string> => (await api.createHook({}, token)).id;
const { createAction } = api;
const idsOf = (answer: { body: { data: { id: string }[] } }) =>
  answer.body.data.map(({ id }) => id);

describe("GET /deliveries/{id}", () => {
  const show = async (fields: Parameters<typeof storeDelivery>[3]) => {
    const id = await storeDelivery(api.db, api.account.id, await createHook(), fields);
    return send("GET", `/deliveries/${id}`);
  };

  it("shows what arrived, with its runs", async () => {
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
  });

  it("the payload has the digits it was sent with", async () => {
    const text = '{ "n": 12345678901234567890123, "p": 1.10, "e": 1e400, "z": -0 }';
    expect((await show({ text })).text).toContain(`"payload":${text},`);
  });

  it("shows 1,000 levels, and says why it shows no payload of 7,000", async () => {
    const nest = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await show({ text: nest(1_000) })).text).toContain(`"payload":${nest(1_000)}`);
    expect((await show({ text: nest(7_000) })).body).toMatchObject({
      payload: null,
      payloadError: "The JSON is nested deeper than 1000 levels.",
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

  it("bytes that are no text come as base64, byte for byte", async () => {
    const body = Buffer.from([0xff, 0x00, 0xfe]);
    expect((await show({ body, contentType: "application/octet-stream" })).body).toMatchObject({
      body: body.toString("base64"),
      bodyEncoding: "base64",
      payload: null,
      payloadError: "The body is neither JSON nor a form.",
    });
  });

  it("a compressed body is parsed, and kept as it came", async () => {
    const body = gzipSync('{"a":1}');
    const headersJson = '[["content-encoding","gzip"]]';
    expect((await show({ body, headersJson })).body).toMatchObject({
      bodyEncoding: "base64",
      payload: { a: 1 },
    });
  });

  it("a form has its fields as payload, and a body that is no JSON says so", async () => {
    const form = { text: "a=1&b=2&b=3", contentType: "application/x-www-form-urlencoded" };
    expect((await show(form)).body.payload).toEqual({ a: "1", b: ["2", "3"] });
    expect((await show({ text: "{" })).body).toMatchObject({
      payload: null,
      payloadError: expect.any(String),
    });
  });

  it("10 MiB are answered", async () => {
    const text = JSON.stringify({ a: "x".repeat(10 * 1024 * 1024 - 10) });
    const answer = await show({ text });
    expect(answer.body.payload.a.length).toBe(10 * 1024 * 1024 - 10);
  });
});

describe("GET /deliveries", () => {
  it("every filter finds what it says, alone and together, and leaves heavy fields out", async () => {
    const { token, id: accountId } = await api.createAccount("filters");
    const [one, other] = [await createHook(token), await createHook(token)];
    const a = await storeDelivery(api.db, accountId, one, {
      eventId: "e-A",
      eventType: "paid",
      text: '{"who":"Ann"}',
    });
    const b = await storeDelivery(api.db, accountId, one, {
      eventId: "e-B",
      eventType: "sent",
      path: "/Deep/Path",
      isSample: true,
    });
    const c = await storeDelivery(api.db, accountId, other, {
      eventType: "paid",
      status: "rejected",
      reason: "signature_missing",
      body: Buffer.from("\\x\u0000binary\xff", "latin1"),
    });
    const list = async (query: string) =>
      idsOf(await send("GET", `/deliveries?${query}`, undefined, token));
    expect(await list("")).toEqual([c, b, a]);
    expect(await list(`hookId=${one}`)).toEqual([b, a]);
    expect(await list("status=rejected")).toEqual([c]);
    expect(await list("status=accepted")).toEqual([b, a]);
    expect(await list("eventType=paid")).toEqual([c, a]);
    expect(await list(`eventType=paid&hookId=${one}&status=accepted`)).toEqual([a]);
    expect(await list("eventId=e-A")).toEqual([a]);
    expect(await list(`eventId=e-A&hookId=${other}`)).toEqual([]);
    expect(await list("eventId=e-A&status=rejected")).toEqual([]);
    expect(await list("isSample=true")).toEqual([b]);
    expect(await list(`isSample=true&hookId=${one}&eventType=sent`)).toEqual([b]);
    expect(await list(`isSample=true&hookId=${other}`)).toEqual([]);
    expect(await list("isSample=true&eventId=e-A")).toEqual([]);
    expect(await list("isSample=false")).toEqual([c, a]);
    expect(await list(`isSample=false&hookId=${one}`)).toEqual([a]);
    expect(await list("isSample=false&eventType=paid&q=ann")).toEqual([a]);
    expect(await list("q=ANN")).toEqual([a]);
    expect(await list("q=deep/p")).toEqual([b]);
    expect(await list("q=signature_")).toEqual([c]);
    expect(await list("q=BINARY")).toEqual([c]);
    expect(await list(`q=${encodeURIComponent("\\x")}`)).toEqual([c]);
    expect(await list("q=%25")).toEqual([]);
    expect(await list("hookId=nonsense")).toEqual([]);
    const { body } = await send("GET", "/deliveries?limit=1", undefined, token);
    for (const field of ["body", "payload", "headers", "runs"])
      expect(body.data[0]).not.toHaveProperty(field);
    expect(body.data[0].verification).toMatchObject({ outcome: "not_configured" });
  });

  it("from is inclusive, to is not", async () => {
    const { token, id: accountId } = await api.createAccount("times");
    const hookId = await createHook(token);
    const base = Math.floor(Date.now() / 1000) * 1000 - 60_000;
    const ids = [];
    for (const offset of [0, 1000, 2000]) {
      const id = idFloor(base + offset).replace(/0{12}$/, String(offset).padStart(12, "0"));
      ids.push(await storeDelivery(api.db, accountId, hookId, { id, receivedAtMs: base + offset }));
    }
    const at = (offset: number) => new Date(base + offset).toISOString();
    const list = async (query: string) =>
      idsOf(await send("GET", `/deliveries?${query}`, undefined, token));
    expect(await list(`from=${at(1000)}`)).toEqual([ids[2], ids[1]]);
    expect(await list(`to=${at(1000)}`)).toEqual([ids[0]]);
    expect(await list(`from=${at(1000)}&to=${at(2000)}&hookId=${hookId}`)).toEqual([ids[1]]);
    expect(await list(`from=${at(1000)}&to=${at(2000)}&q=127`)).toEqual([]);
  });

  it.each([
    "from=yesterday",
    "from=2026-13-01",
    "to=2020-01-01&from=2021-01-01",
    "status=new",
    "q=",
    "eventId=%00",
    "foo=1",
  ])("?%s is refused with its path", async (query) => {
    const answer = await send("GET", `/deliveries?${query}`);
    expect([answer.status, answer.body.errors.length > 0]).toEqual([400, true]);
  });

  it.each(["", "status=accepted", "eventType=t", "q=t"])(
    "pages of ?%s hold each delivery once, to the end",
    async (query) => {
      const { token, id: accountId } = await api.createAccount(`pages-${query.replace(/\W/g, "")}`);
      const hooks = [await createHook(token), await createHook(token)];
      const made: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        made.unshift(
          await storeDelivery(api.db, accountId, hooks[n % 2] ?? "", { eventType: "t" }),
        );
      }
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const answer = await send("GET", `/deliveries?limit=3&${query}${from}`, undefined, token);
        seen.push(...idsOf(answer));
        cursor = answer.body.nextCursor;
      }
      expect(seen).toEqual(made);
    },
  );

  it("a text that is further back than one page looks is found on a later one", async () => {
    const { token, id: accountId } = await api.createAccount("far");
    const hookId = await createHook(token);
    const needle = await storeDelivery(api.db, accountId, hookId, { eventId: "needle" });
    await api.db.$executeRaw`
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        verification_outcome, source_ip)
      select uuid_v7_at(now() + n * interval '1 ms'), ${accountId}::uuid, ${hookId}::uuid, 'accepted', now(), 'POST', '', '',
        '[]', 0, '', 'verified', '' from generate_series(1000, 3500) n`;
    const first = await send("GET", "/deliveries?q=needle", undefined, token);
    expect([first.body.data, typeof first.body.nextCursor]).toEqual([[], "string"]);
    const second = await send(
      "GET",
      `/deliveries?q=needle&cursor=${first.body.nextCursor}`,
      undefined,
      token,
    );
    expect([idsOf(second), second.body.nextCursor]).toEqual([[needle], null]);
  });

  it("those of a deleted hook are gone from every list at once, and from the disk after a purge", async () => {
    const { token, id: accountId } = await api.createAccount("purge");
    const [gone, kept] = [await createHook(token), await createHook(token)];
    const request = { method: "POST", url: "https://example.com" };
    await send("POST", `/hooks/${gone}/actions`, { name: "a", request }, token);
    for (let n = 0; n < 5; n += 1) {
      await storeDelivery(api.db, accountId, gone, {
        eventType: "t",
        eventId: "e",
        keyHash: Buffer.alloc(32, n),
      });
    }
    const stays = await storeDelivery(api.db, accountId, kept, { eventType: "t", eventId: "e" });
    const [run] = await api.db.run.findMany({ where: { accountId } });
    await send("DELETE", `/hooks/${gone}`, undefined, token);
    for (const query of ["", "status=accepted", "eventType=t", "eventId=e", "q=e"]) {
      expect(idsOf(await send("GET", `/deliveries?${query}`, undefined, token))).toEqual([stays]);
    }
    expect(idsOf(await send("GET", "/runs", undefined, token))).toEqual([]);
    expect((await send("GET", `/runs/${run?.id}`, undefined, token)).status).toBe(404);

    expect(await purgeDeletedHooks(api.db, { maxRows: 4, batchRows: 2 })).toMatchObject({
      isDone: false,
    });
    expect(await purgeDeletedHooks(api.db, { batchRows: 2 })).toMatchObject({ isDone: true });
    expect(await api.db.delivery.count({ where: { accountId } })).toBe(1);
    expect(await api.db.run.count({ where: { accountId } })).toBe(0);
    expect(await api.db.dedupeKey.count({ where: { hookId: gone } })).toBe(0);
    expect(await api.db.hook.count({ where: { id: gone } })).toBe(0);
    expect(await api.db.action.count({ where: { hookId: gone } })).toBe(0);
  });
});

describe("DELETE /deliveries/{id}", () => {
  it("takes its runs and attempts along, and the same event sent again is still a duplicate", async () => {
    const hookId = (await api.createHook({})).id;
    await api.createAction(hookId);
    const keyHash = Buffer.alloc(32, 9);
    const id = await storeDelivery(api.db, api.account.id, hookId, { keyHash });
    const beside = await storeDelivery(api.db, api.account.id, hookId);
    const [run] = await api.db.run.findMany({ where: { deliveryId: id } });
    await api.db.$executeRaw`
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms)
      values (gen_random_uuid(), ${run?.id}::uuid, ${api.account.id}::uuid, 1, now(), 1)`;

    await api.db
      .$executeRaw`update runs set lease_id = gen_random_uuid() where id = ${run?.id}::uuid`;
    const busy = await send("DELETE", `/deliveries/${id}`);
    expect([busy.status, busy.body.code]).toEqual([409, "conflict"]);
    await api.db.$executeRaw`update runs set lease_id = null where id = ${run?.id}::uuid`;

    expect((await send("DELETE", `/deliveries/${id}`)).status).toBe(204);
    expect((await send("GET", `/deliveries/${id}`)).status).toBe(404);
    expect((await send("DELETE", `/deliveries/${id}`)).status).toBe(404);
    expect(await api.db.run.count({ where: { deliveryId: id } })).toBe(0);
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
