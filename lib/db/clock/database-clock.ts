import { type ClockStep, followClock, settledAt } from "#lib/core/watch/follow-clock.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { pullBack } from "./pull-back.ts";

/** One look at the clock of a machine, the database's, and what it showed before. */
export type ClockReading = {
  /** The machine's clock, less the database's, as far as that is sure. */
  readonly machineOffMs: number;
  /** How far the database's clock is behind what it has shown. */
  readonly databaseBehindMs: number;
  readonly event: ClockStep["event"];
  /** How far the database's clock went since the last look. */
  readonly stepMs: number;
};

/** The process that looks. */
export type ClockReader = {
  readonly host: string;
  readonly role: string;
  readonly now: () => number;
};

/** Looks at the clocks, remembers how far the database's has come, and how far the machine's is off. */
export async function readClock(db: SqlDatabase, reader: ClockReader): Promise<ClockReading> {
  const askedMs = reader.now();
  const databaseMs = await readTime(db);
  const machineOffMs = offsetOf(askedMs, reader.now(), databaseMs);
  return await db.$transaction(async (tx) => {
    const { event, behindMs, stepMs } = await follow(tx);
    await tx.$executeRaw`
      insert into machine_clocks (host, role, offset_ms)
      values (${reader.host}, ${reader.role}, ${Math.round(machineOffMs - behindMs)}::bigint)
      on conflict (host, role) do update set (offset_ms, reported_at) = (excluded.offset_ms, now())`;
    return { machineOffMs, databaseBehindMs: behindMs, event, stepMs };
  });
}

async function follow(tx: SqlStatements): Promise<ClockStep & { readonly stepMs: number }> {
  await tx.$executeRaw`
    insert into database_clock (seen_at) values (clock_timestamp()) on conflict (id) do nothing`;
  const [row] = await tx.$queryRaw<{ seenMs: number; trustedMs: number | null; ranMs: number }[]>`
      select extract(epoch from seen_at)::float8 * 1000 as "seenMs", extract(epoch from trusted_at)::float8 * 1000 as "trustedMs",
        unsettled_ms::float8 as "ranMs" from database_clock for update`;
  const before =
    row === undefined
      ? null
      : { seenAtMs: row.seenMs, trustedAtMs: row.trustedMs, unsettledMs: row.ranMs };
  const nowMs = await readTime(tx);
  const step = followClock(before, nowMs);
  const { seenAtMs, trustedAtMs, unsettledMs } = step.seen;
  if (step.seen !== before)
    await tx.$executeRaw`
      update database_clock set seen_at = to_timestamp(${seenAtMs}::float8 / 1000),
        trusted_at = to_timestamp(${trustedAtMs}::float8 / 1000), unsettled_ms = ${Math.round(unsettledMs)}::bigint`;
  const stepMs = nowMs - (before?.seenAtMs ?? nowMs);
  if (step.event === "corrected") await pullBack(tx, -stepMs);
  return { ...step, stepMs };
}

async function readTime(db: SqlStatements): Promise<number> {
  const [row] = await db.$queryRaw<{ nowMs: number }[]>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`;
  if (row === undefined) throw new Error("A query without FROM returns a row");
  return row.nowMs;
}

/** The database's time was read somewhere between the two others. A slow response proves little. */
function offsetOf(askedMs: number, readMs: number, databaseMs: number): number {
  if (databaseMs > readMs) return readMs - databaseMs;
  return databaseMs < askedMs ? askedMs - databaseMs : 0;
}

/** Says that the database's clock is right, although it has shown a later time. */
export async function acceptClock(db: SqlDatabase): Promise<Date> {
  return await db.$transaction(async (tx) => {
    const { stepMs } = await follow(tx);
    if (stepMs < 0) await pullBack(tx, -stepMs);
    const at = new Date(settledAt(await readTime(tx)).seenAtMs);
    await tx.$executeRaw`update database_clock set (seen_at, trusted_at, unsettled_ms) = (${at}, null, 0)`;
    return at;
  });
}

/**
 * The time by which retention removes rows: the database's, and after a jump ahead the one without
 * it, so that a wrong clock removes nothing that has to stay.
 */
export async function readRetentionTime(db: SqlDatabase): Promise<Date> {
  // Also before a process has looked: the clock may be wrong since the last start.
  const { seen } = await db.$transaction(follow);
  return new Date(Math.min(await readTime(db), seen.trustedAtMs ?? seen.seenAtMs));
}

type MachineClock = { readonly host: string; readonly offsetMs: number };

/** The machines whose clocks are off by more than this, and that still report. */
export async function listWrongClocks(
  db: SqlStatements,
  beyondMs: number,
): Promise<readonly MachineClock[]> {
  return await db.$queryRaw<MachineClock[]>`
    select distinct on (host) host, offset_ms::float8 as "offsetMs" from machine_clocks
    where abs(offset_ms) > ${beyondMs}::bigint and reported_at > now() - interval '5 minutes'
      and reported_at <= now() + interval '5 minutes'
    order by host, abs(offset_ms) desc`;
}
