import { afterEach, beforeAll, expect, test } from "vitest";
import { openAuditKey } from "#lib/core/people/audit/audit-key.ts";
import { ChainVerifier } from "#lib/core/people/audit/verify-chain.ts";
import { listHeads, readEntriesAfter } from "#lib/db/audit/audit-log.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { createHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import type { UserActor } from "./actor.ts";
import type { ServiceContext } from "./service.ts";

const api = withApi();
const request = { ip: "203.0.113.7", userAgent: "curl/8", requestId: "r-1" };
let context: ServiceContext;
let accounts = 0;
beforeAll(() => useNewAccount());
afterEach(() => useNewAccount());

async function useNewAccount(): Promise<void> {
  accounts += 1;
  const { id: accountId } = await api.createAccount(`audited-${accounts}`);
  const actor: UserActor = {
    ...{ type: "user", accountId, userId: crypto.randomUUID(), sessionId: crypto.randomUUID() },
    ...{ email: "ada@example.com", role: "owner", maskedFields: [] },
  };
  context = { ...testContext(api.db, accountId, { actor }), request };
}

async function readLog() {
  const { accountId } = context.actor;
  return await readEntriesAfter(api.db, accountId, { seq: 0n, limit: 1_000 });
}

async function verify(): Promise<readonly string[]> {
  const heads = await listHeads(api.db);
  const head = heads.find(({ accountId }) => accountId === context.actor.accountId);
  if (head === undefined) throw new Error("There is no log");
  const verifier = new ChainVerifier(openAuditKey(testSealer, head) ?? new Uint8Array(), head);
  for (const entry of await readLog()) verifier.add(entry);
  return verifier.end().findings;
}

const stripe = { name: "Payments", provider: "stripe" } as const;
const secret = "whsec_the_secret_that_nobody_may_read";

test("a change is recorded with its actor, where it came from, its targets, and what changed", async () => {
  const { hook } = await createHook(context, stripe);
  await updateHook(context, { id: hook.id, name: "Refunds", ratePerSecond: 7 });
  const [created, updated] = await readLog();
  expect(created).toMatchObject({ seq: 1n, event: "hook.created", changes: null });
  expect(updated).toMatchObject({
    ...{ seq: 2n, event: "hook.updated", actorType: "user", actorName: "ada@example.com" },
    ...request,
    targetIds: [hook.id],
  });
  expect(JSON.parse(updated?.targets ?? "")).toEqual([
    { type: "hook", id: hook.id, name: "Refunds" },
  ]);
  expect(JSON.parse(updated?.changes ?? "")).toEqual([
    { path: "name", before: "Payments", after: "Refunds" },
    { path: "ratePerSecond", before: null, after: 7 },
  ]);
  expect(await verify()).toEqual([]);
});

test("a secret is never in the log, not even its last characters", async () => {
  const { hook } = await createHook(context, { ...stripe, signingSecret: secret });
  const next = { id: hook.id, secret: `${secret}_2`, expirePreviousAfterSeconds: 0 };
  await rotateHookSecret(context, next);
  const log = await readLog();
  expect(log.at(-1)).toMatchObject({ event: "hook.secret.rotated" });
  expect(JSON.parse(log.at(-1)?.changes ?? "[]")).toContainEqual({
    path: "secrets",
    isHidden: true,
  });
  const text = JSON.stringify(log, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  for (const part of ["whsec", "read_2", secret.slice(-4)]) expect(text).not.toContain(part);
});

test("a change that fails leaves no entry, and an entry that fails leaves no change", async () => {
  const { hook } = await createHook(context, stripe);
  await expect(updateHook(context, { id: hook.id, provider: "custom" })).rejects.toThrow();
  expect((await readLog()).length).toBe(1);
  const noKey = { ...context, sealer: { ...testSealer, open: () => notOpened } };
  await expect(updateHook(noKey, { id: hook.id, name: "Other" })).rejects.toThrow("audit log");
  const row = await api.db.hook.findUniqueOrThrow({ where: { id: hook.id } });
  expect([row.name, (await readLog()).length]).toEqual(["Payments", 1]);
});

const notOpened = { ok: false, code: "unknown_key", message: "" } as const;

test("numbers have no gap and the chain holds when many change things at once", async () => {
  const hooks = await Promise.all(Array.from({ length: 12 }, () => createHook(context, stripe)));
  await Promise.allSettled(
    hooks.flatMap(({ hook: { id } }, index) => [
      updateHook(context, { id, name: `Hook ${index}` }),
      updateHook(context, { id, provider: "custom" }),
    ]),
  );
  const numbers = (await readLog()).map(({ seq }) => Number(seq));
  expect(numbers).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  expect(await verify()).toEqual([]);
});

test("the database refuses to change, remove, or truncate entries and heads", async () => {
  await createHook(context, stripe);
  const id = context.actor.accountId;
  const rejections = [
    api.db.$executeRaw`update audit_entries set event = 'nothing' where account_id = ${id}::uuid`,
    api.db.$executeRaw`delete from audit_entries where account_id = ${id}::uuid`,
    api.db.$executeRaw`truncate audit_entries`,
    api.db.$executeRaw`update audit_chains set seq = seq - 1 where account_id = ${id}::uuid`,
    api.db.$executeRaw`update audit_chains set seq = seq + 2 where account_id = ${id}::uuid`,
    api.db.$executeRaw`update audit_chains set kept_after = seq + 1 where account_id = ${id}::uuid`,
    api.db.$executeRaw`delete from audit_chains where account_id = ${id}::uuid`,
    api.db.$executeRaw`truncate audit_chains`,
  ];
  for (const rejection of rejections) await expect(rejection).rejects.toThrow("append-only");
  await api.db.account.delete({ where: { id } });
  expect((await readLog()).length).toBe(1);
});

test("a chain whose head someone has changed continues, and says so forever", async () => {
  const names = ["One", "Two", "Three"];
  for (const name of names) await createHook(context, { ...stripe, name });
  const id = context.actor.accountId;
  const [first] = await readLog();
  await asAttacker(async () => {
    await api.db.$executeRaw`delete from audit_entries where account_id = ${id}::uuid and seq > 1`;
    await api.db
      .$executeRaw`update audit_chains set seq = 1, mac = ${first?.mac} where account_id = ${id}::uuid`;
  });
  await createHook(context, stripe);
  expect((await readLog()).map(({ event }) => event)).toEqual([
    ...["hook.created", "audit.chain.broken", "hook.created"],
  ]);
  expect(await verify()).toEqual([expect.stringContaining("The head at 1 was changed")]);
  await asAttacker(
    () => api.db.$executeRaw`delete from audit_chains where account_id = ${id}::uuid`,
  );
  await createHook(context, stripe);
  expect(await verify()).toEqual([
    "Entries 1 to 3 have the key of another head, so they can't be verified.",
    expect.stringContaining("The head after 3 was removed"),
  ]);
});

/** Does what the owner of the tables may do: switch the triggers off. */
async function asAttacker(attack: () => Promise<unknown>): Promise<void> {
  const tables = ["audit_entries", "audit_chains"];
  for (const table of tables)
    await api.db.$executeRawUnsafe(`alter table ${table} disable trigger user`);
  await attack();
  for (const table of tables)
    await api.db.$executeRawUnsafe(`alter table ${table} enable trigger user`);
}
