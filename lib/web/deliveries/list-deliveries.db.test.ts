import { describe, expect, it } from "vitest";
import { idFloor } from "#lib/core/api/page.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const createHook = async (token?: string): Promise<string> => (await api.createHook({}, token)).id;
const idsOf = (response: { body: { data: { id: string }[] } }) =>
  response.body.data.map(({ id }) => id);

describe("GET /deliveries", () => {
  it("every filter works, alone and combined, and heavy fields are left out", async () => {
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
    const search = (text: string) => list(`q=${encodeURIComponent(text)}`);
    expect(await search("who = Ann")).toEqual([a]);
    expect(await search('who="Ann"')).toEqual([a]);
    expect(await search("who = ann")).toEqual([]);
    expect(await search("who.name = Ann")).toEqual([]);
    expect(await list(`ids=${a},${c}`)).toEqual([c, a]);
    expect(await list(`ids=${a},${c}&status=rejected`)).toEqual([c]);
    await api.db.$executeRaw`
      insert into runs (id, account_id, target_id, hook_id, delivery_id, state, finished_at)
      select run_id(id::uuid, n), ${accountId}::uuid, gen_random_uuid(), ${one}::uuid, id::uuid, state, now()
      from (values (${a}, 0, 'failed'), (${a}, 1, 'failed'), (${b}, 0, 'succeeded')) ended(id, n, state)`;
    expect(await list("runs=failed")).toEqual([a]);
    expect(await list(`runs=failed&ids=${b}`)).toEqual([]);
    expect(await list(`runs=failed&hookId=${other}`)).toEqual([]);
    expect(await list("runs=failed&status=rejected")).toEqual([]);
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
  ])("?%s is rejected with its path", async (query) => {
    const response = await send("GET", `/deliveries?${query}`);
    expect([response.status, response.body.errors.length > 0]).toEqual([400, true]);
  });

  it.each(["", "status=accepted", "eventType=t", "q=t"])(
    "pages of ?%s contain each delivery once, to the end",
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
        const response = await send("GET", `/deliveries?limit=3&${query}${from}`, undefined, token);
        seen.push(...idsOf(response));
        cursor = response.body.nextCursor;
      }
      expect(seen).toEqual(made);
    },
  );

  it("a text further back than one page searches is found on a later one, of three or four", async () => {
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
    const found: string[] = [];
    let { nextCursor } = first.body;
    for (let pages = 1; nextCursor !== null && pages < 4; pages += 1) {
      const next = await send("GET", `/deliveries?q=needle&cursor=${nextCursor}`, undefined, token);
      found.push(...idsOf(next));
      nextCursor = next.body.nextCursor;
    }
    expect([found, nextCursor]).toEqual([[needle], null]);
  });

  it("those of a deleted hook disappear from every list at once, and from the disk after a purge", async () => {
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
    const [run] = await readRuns(api.db, { accountId });
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
    expect(await readRuns(api.db, { accountId })).toEqual([]);
    expect(await api.db.hook.count({ where: { id: gone } })).toBe(0);
    expect(await api.db.action.count({ where: { hookId: gone } })).toBe(0);
  });
});
