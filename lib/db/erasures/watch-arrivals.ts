import type { SnapshotCursor } from "#lib/core/api/snapshot-cursor.ts";
import { lockAccountIfAny } from "#lib/db/accounts/lock-account.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";

/** Up to which snapshot each table was looked at. */
type WatchProgress = {
  readonly deliveries: SnapshotCursor;
  readonly events: SnapshotCursor;
};

/** An account with rules. */
export type Watch = {
  readonly accountId: string;
  /** Sealed at `erasureRuleKeyPlace`. */
  readonly keyCiphertext: Uint8Array;
  readonly progress: WatchProgress;
};

/** The pause between two looks at an account without more to look at. */
const restSeconds = 20;

/** True of a row `w` that has more to look at or has rested, while no erasure of its account runs. */
const isDue = Prisma.sql`(w.checked_at is null or w.checked_at < now() - ${restSeconds}::int * interval '1 second')
  and not exists (select from erasures e where e.account_id = w.account_id and e.finished_at is null)`;

/** Finds an account with rules that waits longest to be looked at. One with a running erasure waits until it ends. */
export async function findDueWatch(db: SqlStatements): Promise<string | null> {
  const [due] = await db.$queryRaw<{ accountId: string }[]>`
    select w.account_id as "accountId" from erasure_watches w join accounts a on a.id = w.account_id
    where a.deleted_at is null and ${isDue}
    order by w.checked_at nulls first limit 1`;
  return due?.accountId ?? null;
}

/**
 * Locks an account's watch, and keeps erasures from being started until the transaction ends. Null: it is gone, another
 * process has looked meanwhile, or an erasure has started.
 */
export async function lockWatch(tx: SqlStatements, accountId: string): Promise<Watch | null> {
  if (!(await lockAccountIfAny(tx, accountId))) return null;
  const [watch] = await tx.$queryRaw<Watch[]>`
    select account_id as "accountId", key_ciphertext as "keyCiphertext", progress from erasure_watches w
    where account_id = ${accountId}::uuid and ${isDue} for update`;
  return watch ?? null;
}

/** Stores up to where an account was looked at. */
export async function storeWatch(
  tx: SqlStatements,
  accountId: string,
  { progress, hasMore }: { readonly progress: WatchProgress; readonly hasMore: boolean },
): Promise<void> {
  await tx.$executeRaw`
    update erasure_watches set progress = ${JSON.stringify(progress)}::json,
      checked_at = case when ${hasMore}::bool then null else now() end
    where account_id = ${accountId}::uuid`;
}

/** Begins the pause between two looks: someone can start an erasure in between. */
export async function restWatch(tx: SqlStatements, accountId: string): Promise<void> {
  await tx.$executeRaw`
    update erasure_watches set checked_at = now() where account_id = ${accountId}::uuid`;
}

/** Adds an account's watch, unless it has one, and locks it. @returns its sealed key */
export async function ensureWatch(
  tx: SqlStatements,
  { accountId, keyCiphertext, progress }: Watch,
): Promise<Uint8Array> {
  await tx.$executeRaw`
    insert into erasure_watches (account_id, key_ciphertext, progress)
    values (${accountId}::uuid, ${keyCiphertext}, ${JSON.stringify(progress)}::json)
    on conflict (account_id) do nothing`;
  const [row] = await tx.$queryRaw<{ keyCiphertext: Uint8Array }[]>`
    select key_ciphertext as "keyCiphertext" from erasure_watches where account_id = ${accountId}::uuid for update`;
  if (row === undefined) throw new Error(`The rules of ${accountId} have no key`);
  return row.keyCiphertext;
}

type NewRule = {
  readonly id: string;
  readonly accountId: string;
  readonly erasureId: string;
  readonly valueHash: Uint8Array;
  readonly fingerprint: string;
  readonly mode: ErasureMode;
  readonly createdBy: string;
};

/** Adds a rule. One of the same value does what the new one says, and keeps its matches. @returns its id */
export async function saveRule(tx: SqlStatements, rule: NewRule): Promise<string> {
  const { id, accountId, erasureId, valueHash, fingerprint, mode, createdBy } = rule;
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    insert into erasure_rules (id, account_id, erasure_id, value_hash, fingerprint, mode, created_by)
    values (${id}::uuid, ${accountId}::uuid, ${erasureId}::uuid, ${valueHash}, ${fingerprint}, ${mode}, ${createdBy})
    on conflict (account_id, value_hash) do update set
      (erasure_id, fingerprint, mode, created_by, created_at) =
      (excluded.erasure_id, excluded.fingerprint, excluded.mode, excluded.created_by, now())
    returning id`;
  return row?.id ?? id;
}

/** A rule as a look recognizes its value. */
export type RuleHash = {
  readonly id: string;
  readonly valueHash: Uint8Array;
  readonly mode: ErasureMode;
};

export async function readRuleHashes(
  tx: SqlStatements,
  accountId: string,
): Promise<readonly RuleHash[]> {
  return await tx.$queryRaw<RuleHash[]>`
    select id, value_hash as "valueHash", mode from erasure_rules where account_id = ${accountId}::uuid`;
}

/** Counts the deliveries and events in which a rule has found its value. */
export async function countMatches(
  tx: SqlStatements,
  accountId: string,
  rule: { readonly id: string; readonly rows: number },
): Promise<void> {
  await tx.$executeRaw`
    update erasure_rules set matches = matches + ${rule.rows}::int, last_match_at = now()
    where account_id = ${accountId}::uuid and id = ${rule.id}::uuid`;
}
