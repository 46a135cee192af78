import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { sealedColumns } from "#lib/core/people/seal/sealed-columns.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { purgeDeletedAccounts } from "#lib/db/accounts/purge-accounts.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { purgeDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import { addInvitation, addMember } from "#lib/db/testing/test-member.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { addPlace } from "#lib/web/testing/command-place.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
let people: Readonly<Record<"owner" | "admin" | "viewer", { id: string; token: string }>>;

const call = (method: string, path: string, token: string, body?: unknown) =>
  api.call(method, `/api/v1${path}`, { token, body });
const roleOf = (userId: string) =>
  api.db.membership.findFirst({ where: { userId }, select: { role: true } });

async function addPerson(role: "owner" | "admin" | "viewer") {
  const id = await addMember(api.db, api.account.id, role);
  const made = { name: role, userId: id, scopes: apiScopes, expiresAt: null };
  return { id, token: (await createApiToken(api.db, api.account.id, made)).token };
}

beforeEach(async () => {
  const [owner, admin, viewer] = [
    await addPerson("owner"),
    await addPerson("admin"),
    await addPerson("viewer"),
  ];
  people = { owner, admin, viewer };
});

it("an owner hands the account over in one step, once, and to a member only", async () => {
  const { owner, admin, viewer } = people;
  const path = `/accounts/${api.account.id}/transfer`;
  expect((await call("POST", path, admin.token, { memberId: admin.id })).status).toBe(403);
  const otherAccount = await addMember(api.db, (await api.createAccount("other")).id, "owner");
  for (const [memberId, status] of [
    ["", 400],
    [owner.id, 400],
    [otherAccount, 404],
  ] as const)
    expect((await call("POST", path, owner.token, { memberId })).status).toBe(status);
  // Both requests read that the owner is one before either changes it.
  const responses = await Promise.all(
    [viewer, admin].map(({ id }) => call("POST", path, owner.token, { memberId: id })),
  );
  const statuses = responses.map(({ status }) => status).toSorted();
  expect(statuses[0]).toBe(200);
  expect([403, 409]).toContain(statuses[1]);
  expect(await roleOf(owner.id)).toEqual({ role: "admin" });
  const owners = await api.db.membership.count({
    where: { accountId: api.account.id, role: "owner", userId: { in: [viewer.id, admin.id] } },
  });
  expect(owners).toBe(1);
});

it("deleting an account needs an owner and its name, and never takes the only one", async () => {
  const { owner, admin } = people;
  await api.db.account.deleteMany({ where: { id: { not: api.account.id } } });
  const path = `/accounts/${api.account.id}`;
  expect((await call("DELETE", path, admin.token, { name: "acme" })).status).toBe(403);
  const wrong = await call("DELETE", path, owner.token, { name: "Acme" });
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, "name"]);
  expect((await call("DELETE", path, owner.token)).status).toBe(400);
  const only = await call("DELETE", path, owner.token, { name: "acme" });
  expect([only.status, only.body.detail]).toEqual([409, expect.stringContaining("only account")]);
  expect((await call("GET", path, owner.token)).status).toBe(200);
});

it("nothing of a deleted account stays but its audit log, and nothing of another one changes", async () => {
  const other = await api.createAccount("other");
  await api.createHook({}, other.token);
  const ownerOfBoth = people.owner;
  await api.db.membership.create({
    data: { accountId: other.id, userId: ownerOfBoth.id, role: "viewer" },
  });
  const before = await readRows();
  await fill();
  expect(await emptyTables()).toEqual([]);

  const { token } = ownerOfBoth;
  const deleted = await call("DELETE", `/accounts/${api.account.id}`, token, { name: "acme" });
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  // At once, before anything is purged.
  expect((await call("GET", "/hooks", token)).status).toBe(401);
  expect(await roleOf(people.admin.id)).toBeNull();
  // The key of the audit log stays, and its receiver gets the last entries.
  for (const { table, column } of sealedColumns.filter(
    ({ table }) => !/^audit_|^totp_/.test(table),
  ))
    expect([table, await countRows(table, column)]).toEqual([table, 0n]);
  expect((await api.createAccount("acme")).id).not.toBe(api.account.id);
  await api.db.account.deleteMany({ where: { slug: "acme" } });

  // A run in flight keeps the account until it has ended.
  await api.db
    .$executeRaw`update queue set lease_id = gen_random_uuid() where account_id = ${api.account.id}::uuid`;
  await purge();
  expect(await api.db.account.count({ where: { id: api.account.id } })).toBe(1);
  await api.db
    .$executeRaw`update queue set lease_id = null where account_id = ${api.account.id}::uuid`;
  await purge();
  expect(await readRows()).toEqual(
    new Map(before.entries().map(([table, rows]) => [table, rows.filter(isOfOthers)])),
  );
  const entry = await api.db.auditEntry.findFirst({
    where: { accountId: api.account.id, event: "account.deleted" },
  });
  expect(entry?.actorId).toBeTruthy();
});

const isOfOthers = (row: string) => !row.includes(api.account.id);

async function purge() {
  await purgeDeletedSubscriptions(api.db);
  await purgeDeletedHooks(api.db, { batchRows: 1 });
  await purgeDeletedAccounts(api.db, { batchRows: 1 });
}

/** One of everything, also of what jobs write. */
async function fill() {
  const { id: accountId, token } = api.account;
  const { hook, action, delivery, subscription } = await addPlace(api);
  const own = { name: "n", origin: "https://example.com" };
  const auth = { type: "bearer", token: "0123456789abcdef" };
  const credentialId = (await call("POST", "/credentials", token, { ...own, auth })).body.id;
  await call("POST", "/destinations", token, { ...own, credentialId });
  await call("POST", "/alert-channels", token, {
    ...{ name: "n", kind: "url", url: "https://example.com/alerts" },
  });
  await call("PUT", "/audit/receiver", token, { receiverUrl: "https://example.com/audit" });
  const data = { authCiphertext: Buffer.from("sealed") };
  await api.db.action.updateMany({ where: { accountId }, data });
  await addInvitation(api.db, accountId);
  await addSignIns(accountId, people.owner.id);
  await addHeard(hook);
  await addProblem(api.db, { accountId, hookId: hook });
  const of = { accountId, targetId: action, hookId: hook, deliveryId: delivery };
  const run = await addRun(api.db, { ...of, state: "succeeded" });
  await addRun(api.db, { ...of, targetId: subscription, state: "succeeded" });
  await addRun(api.db, { ...of, state: "queued" });
  await api.db.attempt.create({
    data: { id: newId(), runId: run, accountId, number: 1, startedAt: new Date(), durationMs: 1 },
  });
  const step = { key: "a", item: -1, state: "succeeded", startedAt: new Date() };
  await api.db.runStep.create({ data: { id: run, accountId, ...step } });
  await api.db.reply.create({ data: { id: delivery, accountId } });
  const hour = new Date("2026-01-01T00:00:00Z");
  const counted = { accountId, hour, count: 1n };
  await api.db.deliveryStatistic.create({
    data: { ...counted, hookId: hook, status: "accepted" },
  });
  await api.db.runStatistic.create({ data: { ...counted, targetId: action, state: "succeeded" } });
  await api.db.waitStatistic.create({ data: { ...counted, bucket: 1 } });
  await api.db.hookDay.create({
    data: { accountId, day: hour, counted: "runs", hookId: hook, state: "failed", count: 1n },
  });
  const used = { accountId, kind: "hook", subject: hook };
  await api.db.usageDay.create({ data: { ...used, day: hour } });
  await api.db.usageHour.create({ data: { ...used, hour } });
  await api.db.rejectedCount.create({
    data: { hookId: hook, minute: hour, reason: "r", accountId, count: 1n },
  });
  for (const targetId of [action, subscription])
    await api.db.targetRate.create({ data: { targetId, nextAt: hour } });
  await api.db.idempotencyKey.create({
    data: { accountId, key: "k", requestHash: Buffer.from("h") },
  });
}

/** A listener that responded to one delivery, was handed the next, and hasn't asked for the last. */
async function addHeard(hookId: string) {
  const { id: accountId, token } = api.account;
  const opened = await call("POST", "/listeners", token, { name: "n", host: "laptop" });
  const { id, connectionId } = opened.body;
  await storeDelivery(api.db, accountId, hookId);
  const path = `/listeners/${id}/deliveries?connection=${connectionId}`;
  const [{ cursor }] = (await call("GET", path, token)).body.data;
  const acks = [{ cursor, status: 200 }];
  await call("POST", `/listeners/${id}/acks`, token, { connection: connectionId, acks });
  await storeDelivery(api.db, accountId, hookId);
  await call("GET", path, token);
  await storeDelivery(api.db, accountId, hookId);
}

/** The sign-ins of a tool and of a program that were allowed. */
async function addSignIns(accountId: string, userId: string) {
  const codes = { deviceHash: Buffer.from("d"), codeHash: Buffer.from("c"), client: "unknown" };
  const expiresAt = new Date(Date.now() + 60_000);
  const decided = { decision: "allowed", accountId, userId };
  await api.db.deviceSignIn.create({ data: { id: newId(), ...codes, ...decided, expiresAt } });
  const client = { clientId: "c", clientName: "c", redirectUri: "https://c.example/" };
  const asked = { codeHash: Buffer.from("e"), codeChallenge: "x", resource: "x" };
  const allowed = { id: newId(), ...client, ...asked, accountId, userId, expiresAt };
  await api.db.authorizationCode.create({ data: allowed });
}

/** The tables of which the account has no row, but for those that a foreign key empties. */
async function emptyTables(): Promise<readonly string[]> {
  const tables = await api.db.$queryRaw<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (select from pg_constraint where conrelid = c.oid and contype = 'f' and confdeltype = 'c')
    order by 1`;
  const counts = await Promise.all(
    tables.map(async ({ name }) => ({ name, count: await countRows(name) })),
  );
  return counts
    .filter(({ name, count }) => count === 0n && !name.startsWith("audit_"))
    .map(({ name }) => name);
}

async function countRows(table: string, column = "*"): Promise<bigint> {
  const [row] = await api.db.$queryRawUnsafe<{ count: bigint }[]>(
    `select count(${column}) from ${table} where account_id = $1::uuid`,
    api.account.id,
  );
  return row?.count ?? 0n;
}

/** Every row of every table, but for what outlives accounts: audit logs, people, and dedupe keys. */
async function readRows(): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await api.db.$queryRaw<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('audit_entries', 'audit_chains', 'users', 'dedupe_keys', 'event_keys')
    order by 1`;
  const rows = tables.map(async ({ name }) => {
    const found = await api.db.$queryRawUnsafe<{ row: string }[]>(
      `select t::text as row from ${name} t order by 1`,
    );
    return [name, found.map(({ row }) => row)] as const;
  });
  return new Map(await Promise.all(rows));
}
