import { describe, expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { isServed } from "#lib/web/route/route.ts";
import { storeDelivery, type TestAccount } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { routes } from "./routes.ts";
import { serveApi } from "./serve-api.ts";

const api = withApi();
const { send } = api;

const exports = routes.filter(isServed).filter(({ isStreamed }) => isStreamed === true);

const get = (path: string, accept?: string, { token }: { token: string } = api.account) =>
  api.call("GET", `/api/v1${path}`, {
    token,
    ...(accept !== undefined && { headers: { accept } }),
  });

async function readRows(path: string, account?: TestAccount) {
  const { status, text } = await get(path, "application/x-ndjson", account);
  expect(status).toBe(200);
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
}

async function readCsv(path: string, account?: TestAccount): Promise<string[]> {
  const { text } = await get(path, "text/csv", account);
  return text.split("\r\n").slice(0, -1);
}

/** An account with more of everything than fits on one page. */
async function createFullAccount(name: string): Promise<TestAccount> {
  const account = await api.createAccount(name);
  const { token, id } = account;
  const hook = await api.createHook({}, token);
  const request = { method: "POST", url: "https://example.com" };
  await send("POST", `/hooks/${hook.id}/actions`, { name: "a", request }, token);
  const count = Array.from({ length: 230 }, (_, index) => index);
  await storeDeliveries(
    api.db,
    count.map((index) =>
      newDelivery({ id: hook.id, accountId: id }, { eventId: `e-${index}`, eventType: "paid" }),
    ),
  );
  for (const eventTypes of [["a.b"], ["*"]])
    await send("POST", "/subscriptions", { receiverUrl: "https://example.com", eventTypes }, token);
  await storeEvents(
    api.db,
    count.map(() => newEvent(id, { type: "a.b" })),
  );
  for (const index of count.slice(0, 3))
    await send("PUT", `/recipients/cust_${index}`, { name: "=1+1" }, token);
  await send("PUT", "/event-types/a.b", { example: { big: 1 } }, token);
  return account;
}

describe("every list", () => {
  it("is exported whole, with the rows and the order of the list, to its account alone", async () => {
    const full = await createFullAccount("full");
    const other = await api.createAccount("empty");
    expect(exports.map(({ path }) => path).toSorted()).toEqual([
      "/audit/export",
      "/deliveries/export",
      "/event-types/export",
      "/events/export",
      "/recipients/export",
      "/runs/export",
      "/subscriptions/export",
      "/usage/export",
    ]);
    for (const { path } of exports) {
      // An export is an entry itself: lib/web/audit.
      if (path === "/audit/export") continue;
      const listed: unknown[] = [];
      const list = path.replace("/export", "");
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = `?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
        const { body } = await send("GET", `${list}${page}`, undefined, full.token);
        listed.push(...body.data);
        cursor = body.nextCursor;
      }
      expect([path, listed.length > 0]).toEqual([path, true]);
      expect(await readRows(path, full)).toEqual(listed);
      expect(await readRows(path, other)).toEqual([]);
      const [header = "", ...rows] = await readCsv(path, full);
      expect([path, rows.length]).toEqual([path, listed.length]);
      const [withoutTime, columns] = [["/deliveries/export", "/usage/export"], header.split(",")];
      expect(columns.includes("createdAt")).toBe(!withoutTime.includes(path));
      expect(await readCsv(path, other)).toEqual([header]);
    }
  });
});

it("filters are those of the list, and what an export doesn't have is rejected", async () => {
  const hook = await api.createHook();
  const { id: accountId } = api.account;
  const kept = await storeDelivery(api.db, accountId, hook.id, { eventType: "kept" });
  await storeDelivery(api.db, accountId, hook.id, { eventType: "other" });
  const idsOf = async (query: string) =>
    (await readRows(`/deliveries/export?hookId=${hook.id}${query}`)).map(({ id }) => id);
  expect(await idsOf("&eventType=kept")).toEqual([kept]);
  expect(await idsOf("&to=2020-01-01")).toEqual([]);
  for (const [query, field] of [
    ["limit=5", "limit"],
    ["cursor=x", "cursor"],
    ["status=nonsense", "status"],
    ["from=2026-02-01&to=2026-01-01", "to"],
  ]) {
    const { status, body } = await get(`/deliveries/export?${query}`, "text/csv");
    expect([query, status, body.errors[0].path]).toEqual([query, 400, field]);
  }
  const { status, body } = await get("/deliveries/export", "application/json");
  expect([status, body.code]).toEqual([406, "not_acceptable"]);
});

it("objects are columns, lists are JSON, and a formula is text", async () => {
  const account = await api.createAccount("cells");
  const name = '=HYPERLINK("https://example.com")';
  await send("PUT", "/recipients/cust_1", { name, metadata: { a: "1,2" } }, account.token);
  const [header, row] = await readCsv("/recipients/export", account);
  expect(header).toBe(
    "id,name,metadata,quota.limit,quota.per,quota.whenUsedUp,quotaUse.used,quotaUse.resetsAt,subscriptionCount," +
      "createdAt,updatedAt",
  );
  expect(row).toMatch(
    /^cust_1,"'=HYPERLINK\(""https:\/\/example.com""\)","\{""a"":""1,2""\}",{6}0,20\d\d-/,
  );
  const [columns = ""] = await readCsv("/deliveries/export", account);
  expect(columns.split(",")).toEqual(expect.arrayContaining(["verification.outcome"]));
});

it("20,000 rows are streamed by the page, in order, each once", { tags: "variant" }, async () => {
  const account = await api.createAccount("many");
  const hook = await api.createHook({}, account.token);
  for (let batch = 0; batch < 20; batch += 1)
    await storeDeliveries(
      api.db,
      Array.from({ length: 1_000 }, () =>
        newDelivery({ id: hook.id, accountId: account.id }, { eventType: "paid" }),
      ),
    );
  const response = await openExport("/deliveries/export", account, "application/x-ndjson");
  let [rows, maxRows, last] = [0, 0, "~"];
  for await (const chunk of response.body ?? []) {
    const ids = Buffer.from(chunk)
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    maxRows = Math.max(maxRows, ids.length);
    rows += ids.length;
    for (const id of ids) {
      expect(id < last).toBe(true);
      last = id;
    }
  }
  expect([rows, maxRows]).toEqual([20_000, 200]);
});

it("a failure of the database after the first rows is seen in both formats", async () => {
  const account = await createFullAccount("failing");
  const rest = async (accept: string) => {
    const reader = (await openExport("/events/export", account, accept)).body?.getReader();
    await reader?.read();
    await api.db.$executeRaw`alter table events rename to events_away`;
    try {
      const { value } = (await reader?.read()) ?? {};
      return Buffer.from(value ?? []).toString();
    } finally {
      await api.db.$executeRaw`alter table events_away rename to events`;
    }
  };
  expect(JSON.parse(await rest("application/x-ndjson"))).toMatchObject({
    error: { code: "internal" },
  });
  await expect(rest("text/csv")).rejects.toThrow();
});

it.each<[string, string, { revokedAt?: Date; scopes?: string[] }]>([
  ["revoked", "unauthenticated", { revokedAt: new Date() }],
  ["left without the scope", "forbidden", { scopes: ["hooks:read"] }],
])("an export ends once its token is %s", async (_what, code, data) => {
  const account = await createFullAccount(`token-${code}`);
  const reader = (
    await openExport("/deliveries/export", account, "application/x-ndjson")
  ).body?.getReader();
  await reader?.read();
  await api.db.apiToken.updateMany({ where: { accountId: account.id }, data });
  const { value } = (await reader?.read()) ?? {};
  expect(JSON.parse(Buffer.from(value ?? []).toString())).toMatchObject({ error: { code } });
});

function openExport(path: string, { token }: TestAccount, accept: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept };
  return serveApi(new Request(`http://localhost/api/v1${path}`, { headers }));
}
