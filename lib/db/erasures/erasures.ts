import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type {
  ErasureMode,
  ErasurePlace,
  ErasureStatus,
} from "#lib/schema/account/erasure-places.ts";

type PlaceCount = {
  /** Rows with one of the values when they were first read. */
  readonly found: number;
  /** Of those, how many were removed or redacted, those that came meanwhile included. */
  readonly changed: number;
};

export type ErasureCounts = Readonly<Partial<Record<ErasurePlace, PlaceCount>>>;

/** Where the job has come to. It has nothing of a payload. */
export type ErasureProgress = {
  /** Each pass looks at everything again, until one finds nothing. */
  readonly pass: number;
  /** The number of the place in `lib/jobs/erase/`. */
  readonly place: number;
  /** The key of the last row, or the name of the last archive. Null: none yet. */
  readonly after: readonly string[] | null;
  /** Rows with a value in this pass. */
  readonly found: number;
  /** An archive whose manifest was about to be replaced. */
  readonly replacing: ReplacedManifest | null;
  /** What couldn't be looked into, in sentences. */
  readonly left: readonly string[];
};

type ReplacedManifest = {
  readonly week: string;
  readonly sha256: string;
  readonly rows: number;
};

/** A person who is or was forgotten. Nothing of it names them. */
export type ErasureRecord = {
  readonly id: string;
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  readonly status: ErasureStatus;
  readonly fingerprints: readonly string[];
  readonly progress: ErasureProgress;
  readonly counts: ErasureCounts;
  /** It leaves a rule for each value at its end. */
  readonly laterArrivals: boolean;
  /** The rules that started it. Empty: someone did. */
  readonly ruleIds: readonly string[];
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

const select = {
  id: true,
  mode: true,
  dryRun: true,
  status: true,
  fingerprints: true,
  progress: true,
  counts: true,
  laterArrivals: true,
  ruleIds: true,
  createdAt: true,
  finishedAt: true,
} as const;

type Row = { readonly [Name in keyof typeof select]: unknown };

export type NewErasure = {
  readonly id: string;
  readonly accountId: string;
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly fingerprints: readonly string[];
  readonly laterArrivals: boolean;
  readonly ruleIds: readonly string[];
  /** Null: rules started it. */
  readonly createdBy: string | null;
};

/** Adds an erasure that a job works on from now on. */
export async function insertErasure(tx: SqlStatements, erasure: NewErasure): Promise<void> {
  const { id, accountId, mode, dryRun, ciphertext, laterArrivals, createdBy } = erasure;
  await tx.$executeRaw`
    insert into erasures (id, account_id, mode, dry_run, ciphertext, fingerprints, progress, counts, later_arrivals, rule_ids,
      created_by)
    values (${id}::uuid, ${accountId}::uuid, ${mode}, ${dryRun}, ${ciphertext}, ${[...erasure.fingerprints]}::text[],
      ${JSON.stringify(atBegin)}::json, '{}', ${laterArrivals}, ${[...erasure.ruleIds]}::uuid[], ${createdBy})`;
}

const atBegin = { pass: 1, place: 0, after: null, found: 0, replacing: null, left: [] };

export async function countRunningErasures(tx: Transaction, accountId: string): Promise<number> {
  return await tx.erasure.count({ where: { accountId, status: "running" } });
}

/** Throws `not_found`. */
export async function getErasure(
  db: Database | Transaction,
  accountId: string,
  erasureId: string,
): Promise<ErasureRecord> {
  const where = { accountId, id: requireId("erasure", erasureId) };
  const found = await db.erasure.findFirst({ where, select });
  if (found === null) throw notFound("erasure");
  return toRecord(found);
}

/** Lists erasures, newest first. */
export async function listErasures(
  db: Database,
  accountId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<ErasureRecord>> {
  const rows = await db.erasure.findMany({
    where: { accountId, id: { lt: decodeCursor(cursor) } },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** Forgets the values too. @returns false if it has ended */
export async function markErasureCancelled(
  tx: Transaction,
  accountId: string,
  erasureId: string,
): Promise<boolean> {
  const { count } = await tx.erasure.updateMany({
    where: { accountId, id: erasureId, status: "running" },
    data: { status: "cancelled", ciphertext: null, leaseId: null, finishedAt: new Date() },
  });
  return count > 0;
}

function toRecord(row: Row): ErasureRecord {
  return row as ErasureRecord;
}
