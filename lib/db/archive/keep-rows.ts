import { Prisma } from "#lib/db/generated/client.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { partitionName } from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { idsOf } from "./week-rows.ts";

/** More of them would block all deliveries for too long while they are moved. */
const maxKept = 10_000;

/** The rows of a week that outlive it. */
export type KeptRows = {
  /** Deliveries and events. */
  readonly sources: readonly string[];
  /** Their runs that have ended, and runs of others that are open. */
  readonly runs: readonly string[];
};

/**
 * Finds what may not go with its week: what was stored later than the week says, as from a machine
 * whose clock was behind, and what has an open run. Nothing of the week can change until the
 * transaction ends.
 *
 * @param names the week's tables
 * @returns null if it is too much to be moved
 */
export async function findKeptRows(
  tx: SqlStatements,
  week: Week,
  names: readonly string[],
  retainedFrom: Date,
): Promise<KeptRows | null> {
  const suffix = `_${week.replaceAll("-", "")}`;
  const tables = ["deliveries", "events", "runs"].filter((table) => names.includes(table + suffix));
  if (tables.length > 0)
    await tx.$executeRaw`
      lock table ${Prisma.join(tables.map((table) => partitionName(table + suffix)))} in exclusive mode`;
  const { first, end } = idsOf(week);
  const isOfWeek = (column: "id" | "delivery_id" | "event_id") =>
    Prisma.sql`${Prisma.raw(column)} >= ${first}::uuid and ${Prisma.raw(column)} < ${end}::uuid`;
  const open = await tx.$queryRaw<{ id: string; sourceId: string | null }[]>`
    select id, coalesce(delivery_id, event_id) as "sourceId" from queue where ${isOfWeek("id")}
    union select id, delivery_id from queue where has_own_id and ${isOfWeek("delivery_id")}
    union select id, event_id from queue where has_own_id and ${isOfWeek("event_id")}
    limit ${maxKept + 1}::int`;
  const sources = new Set(open.map(({ sourceId }) => sourceId).filter((id) => id !== null));
  for (const table of tables.filter((table) => table !== "runs")) {
    const late = await tx.$queryRaw<{ id: string }[]>`
      select id from ${partitionName(table + suffix)} where stored_at >= ${retainedFrom} limit ${maxKept + 1}::int`;
    for (const { id } of late) sources.add(id);
  }
  const runs = new Set(open.map(({ id }) => id));
  if (sources.size > maxKept || runs.size > maxKept) return null;
  if (sources.size > 0 && tables.includes("runs")) {
    const ended = await tx.$queryRaw<{ id: string }[]>`
      select id from ${partitionName(`runs${suffix}`)}
      where coalesce(delivery_id, event_id) = any (${toUuidArray([...sources])}::uuid[]) limit ${maxKept + 1}::int`;
    for (const { id } of ended) runs.add(id);
  }
  return runs.size > maxKept ? null : { sources: [...sources], runs: [...runs] };
}

/** Detaches the week's tables, and puts these rows into the tables for rows of no week. */
export async function moveRows(
  tx: SqlStatements,
  names: readonly string[],
  { sources, runs }: KeptRows,
): Promise<void> {
  if (sources.length + runs.length === 0) return;
  for (const name of names) {
    const parent = Prisma.raw(`"${name.slice(0, name.lastIndexOf("_"))}"`);
    await tx.$executeRaw`alter table ${parent} detach partition ${partitionName(name)}`;
    const kept = keptOf(name.slice(0, name.lastIndexOf("_")));
    if (kept === null) continue;
    const [column, ids] = [Prisma.raw(kept.column), kept.isRun ? runs : sources];
    await tx.$executeRaw`
      insert into ${parent} select * from ${partitionName(name)} where ${column} = any (${toUuidArray([...ids])}::uuid[])`;
  }
}

/** How the rows of a table belong to what is kept. Null: they are made again, or not needed. */
function keptOf(table: string): { readonly column: "id" | "run_id"; isRun: boolean } | null {
  switch (table) {
    case "deliveries":
    case "events":
    case "answers":
      return { column: "id", isRun: false };
    case "runs":
    case "run_steps":
      return { column: "id", isRun: true };
    case "attempts":
      return { column: "run_id", isRun: true };
    default:
      return null;
  }
}
