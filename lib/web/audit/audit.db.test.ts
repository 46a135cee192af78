import { beforeAll, expect, test } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { TestAccount } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
let other: TestAccount;
let hookId: string;
const call = (path: string, token = api.account.token) =>
  api.call("GET", `/api/v1${path}`, { token, headers: { "x-forwarded-for": "203.0.113.7" } });

beforeAll(async () => {
  other = await api.createAccount("audit-of-another");
  const made = { name: "Payments", provider: "stripe" };
  const headers = {
    ...{ "x-forwarded-for": "203.0.113.7", "user-agent": "deploy/2" },
    ...{ "x-request-id": "req-42" },
  };
  const { token } = api.account;
  hookId = (await api.call("POST", "/api/v1/hooks", { token, body: made, headers })).body.id;
  const renamed = { token, body: { name: "Refunds" }, headers };
  await api.call("PATCH", `/api/v1/hooks/${hookId}`, renamed);
  await api.call("DELETE", `/api/v1/hooks/${hookId}`, { token, headers });
  await api.call("POST", "/api/v1/hooks", { token: other.token, body: made });
});

const events = (response: { body: { data: { event: string }[] } }) =>
  response.body.data.map(({ event }) => event);

test("the log says who did what to what, from where, and what it was before", async () => {
  const { status, body } = await call("/audit");
  expect(status).toBe(200);
  expect(events({ body })).toEqual(["hook.deleted", "hook.updated", "hook.created"]);
  expect(body.data[1]).toMatchObject({
    seq: 2,
    actor: { type: "token", name: "API token test" },
    ...{ ip: "203.0.113.7", userAgent: "deploy/2", requestId: "req-42" },
    targets: [{ type: "hook", id: hookId, name: "Refunds" }],
    changes: [{ path: "name", before: "Payments", after: "Refunds" }],
  });
});

test.each([
  ["event=hook", 3],
  ["event=hook.updated", 1],
  ["event=hoo", 0],
  ["actor=TEST", 3],
  ["actor=ada", 0],
  ["q=refunds", 2],
  ["to=2026-01-01", 0],
  ["from=2026-01-01", 3],
])("?%s finds %i entries", async (query, count) => {
  expect((await call(`/audit?${query}`)).body.data.length).toBe(count);
});

test("a target's history and pages by number", async () => {
  expect(events(await call(`/audit?target=${hookId}`)).length).toBe(3);
  const first = await call("/audit?limit=2");
  const second = await call(`/audit?limit=2&cursor=${first.body.nextCursor}`);
  expect([...events(first), ...events(second)]).toEqual(events(await call("/audit")));
  expect([second.body.nextCursor, (await call("/audit?event=Hook!")).status]).toEqual([null, 400]);
});

test("an export has the same entries, and is in the log itself", async () => {
  const { id } = await api.createAccount("audit-exported");
  const token = await addToken("owner", ["audit:read"], id);
  const { text } = await api.call("GET", "/api/v1/audit/export?event=user", {
    token,
    headers: { accept: "application/x-ndjson" },
  });
  expect(text).toBe("");
  const [entry] = (await call("/audit", token)).body.data;
  expect(entry).toMatchObject({
    event: "audit.exported",
    changes: [{ path: "event", after: "user" }],
  });
  const rows = await api.call("GET", "/api/v1/audit/export", {
    token,
    headers: { accept: "application/x-ndjson" },
  });
  const [line] = rows.text.trim().split("\n");
  expect(JSON.parse(line ?? "")).toMatchObject({ seq: 1, event: "audit.exported" });
});

async function addToken(role: Role, scopes: readonly ApiScope[], accountId = api.account.id) {
  const userId = await addMember(api.db, accountId, role);
  const made = { name: role, userId, scopes, expiresAt: null };
  return (await createApiToken(api.db, accountId, made)).token;
}

test("only admins and owners read it, with the scope, and only that of their account", async () => {
  for (const [role, status] of [
    ["viewer", 403],
    ["member", 403],
    ["admin", 200],
    ["owner", 200],
  ] as const)
    expect([role, (await call("/audit", await addToken(role, ["audit:read"]))).status]).toEqual([
      role,
      status,
    ]);
  const without = await addToken("owner", ["hooks:read", "deliveries:read"]);
  expect((await call("/audit", without)).status).toBe(403);
  expect(events(await call("/audit", other.token))).toEqual(["hook.created"]);
});
