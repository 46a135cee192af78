import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { newId } from "#lib/ids.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/api-token.ts";
import {
  openTestApi,
  storeDelivery,
  type TestAccount,
  type TestApi,
} from "#lib/web/testing/test-api.ts";

/**
 * Every REST API route × every caller who must not use it. A route missing from this table fails
 * the first test, so that no route is added untested.
 */
const request = { method: "POST", url: "https://example.com" };
const rows: readonly Row[] = [
  { method: "POST", path: "/hooks", scope: "hooks:write", body: { name: "n" } },
  { method: "GET", path: "/hooks", scope: "hooks:read" },
  { method: "GET", path: "/hooks/{id}", scope: "hooks:read", of: "hook" },
  {
    method: "PATCH",
    path: "/hooks/{id}",
    scope: "hooks:write",
    of: "hook",
    body: { name: "stolen" },
  },
  { method: "DELETE", path: "/hooks/{id}", scope: "hooks:write", of: "hook" },
  {
    method: "POST",
    path: "/hooks/{id}/secrets",
    scope: "hooks:write",
    of: "hook",
    body: { secret: "whsec_0123456789" },
  },
  { method: "POST", path: "/hooks/{id}/catch-url", scope: "hooks:write", of: "hook" },
  { method: "DELETE", path: "/hooks/{id}/previous-catch-urls", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/test", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/pause", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/resume", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/verify-pending", scope: "hooks:write", of: "hook" },
  { method: "GET", path: "/hooks/{id}/arrived-secret", scope: "hooks:write", of: "hook" },
  { method: "GET", path: "/hooks/{id}/actions", scope: "hooks:read", of: "hook" },
  {
    method: "POST",
    path: "/hooks/{id}/actions",
    scope: "hooks:write",
    of: "hook",
    body: { name: "n", request },
  },
  { method: "GET", path: "/actions/{id}", scope: "hooks:read", of: "action" },
  {
    method: "PATCH",
    path: "/actions/{id}",
    scope: "hooks:write",
    of: "action",
    body: { name: "stolen" },
  },
  { method: "DELETE", path: "/actions/{id}", scope: "hooks:write", of: "action" },
  {
    method: "POST",
    path: "/actions/{id}/preview",
    scope: "hooks:read",
    of: "action",
    body: { payload: {} },
  },
  { method: "GET", path: "/deliveries", scope: "deliveries:read" },
  { method: "GET", path: "/deliveries/{id}", scope: "deliveries:read", of: "delivery" },
  { method: "DELETE", path: "/deliveries/{id}", scope: "deliveries:write", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/diagnose", scope: "deliveries:read", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/replay", scope: "deliveries:write", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/accept", scope: "deliveries:write", of: "delivery" },
  {
    method: "POST",
    path: "/deliveries/accept",
    scope: "deliveries:write",
    body: { filter: { status: "rejected" } },
  },
  { method: "GET", path: "/runs", scope: "deliveries:read" },
  { method: "GET", path: "/runs/{id}", scope: "deliveries:read", of: "run" },
  { method: "POST", path: "/runs/{id}/retry", scope: "deliveries:write", of: "run" },
  { method: "POST", path: "/runs/{id}/cancel", scope: "deliveries:write", of: "run" },
  {
    method: "POST",
    path: "/runs/retry",
    scope: "deliveries:write",
    body: { filter: { status: "failed" } },
  },
  {
    method: "POST",
    path: "/runs/cancel",
    scope: "deliveries:write",
    body: { filter: { status: "queued" } },
  },
  { method: "GET", path: "/bulk-jobs", scope: "deliveries:read" },
  { method: "GET", path: "/providers", scope: "hooks:read" },
  { method: "GET", path: "/bulk-jobs/{id}", scope: "deliveries:read", of: "job" },
  { method: "POST", path: "/bulk-jobs/{id}/cancel", scope: "deliveries:write", of: "job" },
];

type Thing = "hook" | "action" | "delivery" | "run" | "job";
type Row = { method: string; path: string; scope: ApiScope; of?: Thing; body?: unknown };
const named = rows.map((row): [string, Row] => [`${row.method} ${row.path}`, row]);
const withId = named.filter(([, { of }]) => of !== undefined);

let api: TestApi;
let owner: TestAccount;
let stranger: TestAccount;
let ids: Record<Thing, string>;

beforeAll(async () => {
  api = await openTestApi();
  owner = await api.createAccount("owner");
  stranger = await api.createAccount("stranger");
  ids = await createThings(owner);
});
afterAll(() => api.close());

async function createThings({ id: accountId, token }: TestAccount): Promise<Record<Thing, string>> {
  const hook = (
    await api.call("POST", "/api/v1/hooks", { token, body: { name: "n", provider: "stripe" } })
  ).body.id;
  const action = (
    await api.call("POST", `/api/v1/hooks/${hook}/actions`, { token, body: { name: "n", request } })
  ).body.id;
  const delivery = await storeDelivery(api.db, accountId, hook);
  const run = (await readRuns(api.db, { deliveryId: delivery }))[0]?.id ?? "";
  const job = (await createBulkJob(api.db, accountId, "cancel", { status: "queued" })).id;
  return { hook, action, delivery, run, job };
}

function send({ method, path, of, body }: Row, token: string | null, id?: string) {
  const filled = path.replace("{id}", id ?? (of === undefined ? "" : ids[of]));
  return api.call(method, `/api/v1${filled}`, { token, ...(body === undefined ? {} : { body }) });
}

const snapshot = async () => ({
  hooks: await api.db.hook.findMany({ where: { accountId: owner.id } }),
  secrets: await api.db.hookSecret.count({ where: { accountId: owner.id } }),
  actions: await api.db.action.findMany({ where: { accountId: owner.id } }),
  jobs: await api.db.bulkJob.findMany({ where: { accountId: owner.id } }),
  runs: await readRuns(api.db, { accountId: owner.id }),
});

it("every route of the API is in this table", () => {
  const inFiles = api.routes
    .filter(({ pattern }) => pattern.startsWith("/api/v1/") && !pattern.includes("[["))
    .map(({ pattern }) => pattern.replace("/api/v1", "").replace("[id]", "{id}"));
  expect([...new Set(rows.map(({ path }) => path))].sort()).toEqual(inFiles.sort());
});

it("every method with a response is in this table", async () => {
  for (const { pattern } of api.routes) {
    if (!pattern.startsWith("/api/v1/") || pattern.includes("[[")) continue;
    const path = pattern.replace("/api/v1", "").replace("[id]", "{id}");
    const { headers } = await api.call("OPTIONS", pattern.replace("[id]", ids.hook));
    const allowed = (headers.get("allow") ?? "")
      .split(", ")
      .filter((name) => name !== "HEAD" && name !== "OPTIONS");
    expect([path, allowed.sort()]).toEqual([
      path,
      rows
        .filter((row) => row.path === path)
        .map((row) => row.method)
        .sort(),
    ]);
  }
});

describe.each(named)("%s", (_, row) => {
  it("without a token: 401", async () => {
    const answer = await send(row, null);
    expect([answer.status, answer.body.code, answer.headers.get("www-authenticate")]).toEqual([
      401,
      "unauthenticated",
      "Bearer",
    ]);
  });

  it("with a revoked, an expired or an unknown token: 401", async () => {
    const revoked = await api.createAccount(`revoked-${newId()}`);
    const [token] = await api.db.apiToken.findMany({ where: { accountId: revoked.id } });
    await revokeApiToken(api.db, revoked.id, token?.id ?? "");
    const expired = await api.createAccount(`expired-${newId()}`);
    await api.db.apiToken.updateMany({
      where: { accountId: expired.id },
      data: { expiresAt: new Date(0) },
    });
    for (const bad of [revoked.token, expired.token, "cmt_unknown", `${owner.token}x`]) {
      expect((await send(row, bad)).status).toBe(401);
    }
  });

  it("with every scope but its own: 403", async () => {
    const others = await api.createAccount(
      `scopes-${newId()}`,
      apiScopes.filter((scope) => scope !== row.scope),
    );
    const answer = await send(row, others.token);
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect(answer.body.detail).toContain(row.scope);
  });
});

describe.each(withId)("%s", (_, row) => {
  it("another account's id, an unknown one, and an invalid one get the same 404, and nothing changes", async () => {
    const before = await snapshot();
    const foreign = await send(row, stranger.token);
    const unknown = await send(row, owner.token, newId());
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    for (const id of [
      "x",
      "..%2F..",
      "%00",
      "'%20or%201=1",
      newId().toUpperCase(),
      `${newId()}0`,
    ]) {
      expect([id, (await send(row, owner.token, id)).text]).toEqual([id, unknown.text]);
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe("another account's id inside a request", () => {
  it("is in no list", async () => {
    for (const path of ["/hooks", "/deliveries", "/runs", "/bulk-jobs"]) {
      expect(
        (await api.call("GET", `/api/v1${path}`, { token: stranger.token })).body.data,
      ).toEqual([]);
    }
    const filters = [
      `/deliveries?hookId=${ids.hook}`,
      `/runs?deliveryId=${ids.delivery}`,
      `/runs?actionId=${ids.action}`,
      `/runs?hookId=${ids.hook}`,
    ];
    for (const path of filters) {
      expect(
        (await api.call("GET", `/api/v1${path}`, { token: stranger.token })).body.data,
      ).toEqual([]);
    }
  });

  it("can't be read by a preview without permission to read deliveries", async () => {
    const rights = { name: "narrow", scopes: ["hooks:read"], expiresAt: null } as const;
    const { token: narrow } = await createApiToken(api.db, owner.id, rights);
    const preview = (body: object) =>
      api.call("POST", `/api/v1/actions/${ids.action}/preview`, { token: narrow, body });
    expect((await preview({ deliveryId: ids.delivery })).status).toBe(403);
    expect((await preview({ payload: {} })).status).toBe(200);
  });

  it("can't be previewed or replayed with", async () => {
    const own = await createThings(stranger);
    const preview = { token: stranger.token, body: { deliveryId: ids.delivery } };
    expect((await api.call("POST", `/api/v1/actions/${own.action}/preview`, preview)).status).toBe(
      404,
    );
    const replay = { token: stranger.token, body: { actionIds: [ids.action] } };
    expect(
      (await api.call("POST", `/api/v1/deliveries/${own.delivery}/replay`, replay)).status,
    ).toBe(404);
  });
});
