import { newId } from "#lib/base/ids.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";
import type { ErasureCounts, ErasureProgress } from "./erasures.ts";

/** An erasure that this process has leased. */
export type LeasedErasure = {
  readonly id: string;
  readonly accountId: string;
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  /** The values, sealed. */
  readonly ciphertext: Uint8Array;
  readonly fingerprints: readonly string[];
  readonly progress: ErasureProgress;
  readonly counts: ErasureCounts;
  readonly laterArrivals: boolean;
  readonly ruleIds: readonly string[];
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly leaseId: string;
};

/**
 * Longer than a batch takes, or a part of an archive. If its process is killed, another one continues with the
 * same batch after this time.
 */
const leaseSeconds = 60;

/** Leases an erasure that no worker has. Null: there is none. */
export async function leaseErasure(db: SqlStatements): Promise<LeasedErasure | null> {
  const [found] = await db.$queryRaw<LeasedErasure[]>`
    update erasures set lease_id = ${newId()}::uuid, leased_until = now() + ${leaseSeconds}::int * interval '1 second'
    where id = (
      select id from erasures where finished_at is null and (leased_until is null or leased_until < now())
      order by random() limit 1 for update skip locked
    )
    returning id, account_id as "accountId", mode, dry_run as "dryRun", ciphertext, fingerprints, progress, counts,
      later_arrivals as "laterArrivals", coalesce(rule_ids, '{}') as "ruleIds", created_by as "createdBy",
      created_at as "createdAt", lease_id as "leaseId"`;
  return found ?? null;
}

/** Throws if another process has taken it over, or it was canceled: what this one does mustn't count. */
function requireLeased(changed: number): void {
  if (changed === 0) throw new Error("Another process has this erasure, or it was canceled");
}

/** Keeps the lease while an archive is rewritten. */
export async function renewLease(db: SqlStatements, erasure: LeasedErasure): Promise<void> {
  requireLeased(
    await db.$executeRaw`
      update erasures set leased_until = now() + ${leaseSeconds}::int * interval '1 second'
      where id = ${erasure.id}::uuid and lease_id = ${erasure.leaseId}::uuid`,
  );
}

type Reached = { readonly progress: ErasureProgress; readonly counts: ErasureCounts };

/** Locks it for the rest of the transaction, so that no one takes it over meanwhile. */
export async function holdErasure(tx: SqlStatements, erasure: LeasedErasure): Promise<void> {
  requireLeased(
    await tx.$executeRaw`
      update erasures set leased_until = now() + ${leaseSeconds}::int * interval '1 second'
      where id = ${erasure.id}::uuid and lease_id = ${erasure.leaseId}::uuid and status = 'running'`,
  );
}

/** Stores where it has come to, in the transaction that did it, and ends the lease. */
export async function storeReached(
  db: SqlStatements,
  { id, leaseId }: LeasedErasure,
  { progress, counts }: Reached,
  restSeconds = 0,
): Promise<void> {
  requireLeased(
    await db.$executeRaw`
      update erasures set progress = ${JSON.stringify(progress)}::json, counts = ${JSON.stringify(counts)}::json,
        lease_id = null, leased_until = now() + ${restSeconds}::int * interval '1 second'
      where id = ${id}::uuid and lease_id = ${leaseId}::uuid`,
  );
}

/** Stores what is about to happen outside of the database, and keeps the lease. */
export async function storeReplacing(
  db: SqlStatements,
  { id, leaseId }: LeasedErasure,
  progress: ErasureProgress,
): Promise<void> {
  requireLeased(
    await db.$executeRaw`
      update erasures set progress = ${JSON.stringify(progress)}::json
      where id = ${id}::uuid and lease_id = ${leaseId}::uuid`,
  );
}

/** Ends it, and forgets the values. */
export async function storeFinished(
  tx: SqlStatements,
  { id, leaseId }: LeasedErasure,
  { progress, counts }: Reached,
): Promise<void> {
  requireLeased(
    await tx.$executeRaw`
      update erasures set progress = ${JSON.stringify(progress)}::json, counts = ${JSON.stringify(counts)}::json,
        status = 'finished', ciphertext = null, lease_id = null, leased_until = null, finished_at = now()
      where id = ${id}::uuid and lease_id = ${leaseId}::uuid`,
  );
}

/** Lets another process continue at once, after a batch that failed. */
export async function endLease(
  db: SqlStatements,
  { id, leaseId }: Pick<LeasedErasure, "id" | "leaseId">,
  restSeconds: number,
): Promise<void> {
  await db.$executeRaw`
    update erasures set lease_id = null, leased_until = now() + ${restSeconds}::int * interval '1 second'
    where id = ${id}::uuid and lease_id = ${leaseId}::uuid`;
}

/** A week's archive was replaced by this job: it is as whole as it was. */
export async function recordReplaced(
  db: SqlStatements,
  week: string,
  before: string,
  after: string,
): Promise<void> {
  await db.$executeRaw`
    update archived_weeks set manifest_sha256 = ${after} where week::text = ${week} and manifest_sha256 = ${before}`;
}

export type KnownArchive = { readonly sha256: string | null; readonly isDropped: boolean };

/** What this database knows of a week's archive. Null: nothing. */
export async function readKnownArchive(
  db: SqlStatements,
  week: string,
): Promise<KnownArchive | null> {
  const [known] = await db.$queryRaw<KnownArchive[]>`
    select manifest_sha256 as sha256, dropped_at is not null as "isDropped" from archived_weeks where week::text = ${week}`;
  return known ?? null;
}
