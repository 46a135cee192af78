import type { Page, PageRequest } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { decodeNameCursor, encodeNameCursor } from "#lib/db/postgres/name-cursor.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import type { UsageGroup } from "#lib/schema/account/usage.ts";
import { hourMs, selectUsage, type UsageCounts, usageCounts } from "./select-usage.ts";

/** What was used of one day, hook, or recipient. */
export type UsageRow = UsageCounts & {
  /** The day as `2026-11-21`, the hook's id, or the recipient. Empty: events without a recipient. */
  readonly key: string;
};

export type UsageFilter = {
  readonly by: UsageGroup;
  readonly hookId?: string | undefined;
  readonly recipient?: string | undefined;
  /** Unix milliseconds of midnights in UTC: the first day, and the one after the last. */
  readonly fromMs: number;
  readonly toMs: number;
};

/** Rows of another machine's clock may seem to come from the next minutes. */
const aheadMs = hourMs;

/**
 * Lists what was used, newest days first, hooks and recipients by their ids. What isn't counted yet is read
 * from the rows, in the same snapshot as the counts.
 */
export async function listUsage(
  db: Database,
  accountId: string,
  { by, hookId, recipient, fromMs, toMs }: UsageFilter,
  page: PageRequest & { readonly nowMs: number },
): Promise<Page<UsageRow>> {
  const after = decodeNameCursor(page.cursor);
  const isWanted = Prisma.sql`day >= ${new Date(fromMs)}::date and day < ${new Date(toMs)}::date
    ${by === "day" ? Prisma.empty : Prisma.sql`and kind = ${by}`}
    ${hookId === undefined ? Prisma.empty : Prisma.sql`and kind = 'hook' and subject = ${hookId}`}
    ${recipient === undefined ? Prisma.empty : Prisma.sql`and kind = 'recipient' and subject = ${recipient}`}`;
  const isAfter =
    by === "day"
      ? Prisma.sql`${after} = '' or '=' || key < ${after}`
      : Prisma.sql`'=' || key > ${after}`;
  const rows = await inSnapshot(db, async (tx, countedUntilMs) => {
    const span = { accountId, fromMs: countedUntilMs, untilMs: page.nowMs + aheadMs };
    return await tx.$queryRaw<UsageRow[]>`
      with counted as (
        select day, kind, subject, ${columns} from usage_days where account_id = ${accountId}::uuid and ${isWanted}
        union all
        select day, kind, subject, ${columns} from (
          select (hour at time zone 'UTC')::date as day, kind, subject, ${columns} from (${selectUsage(span)}) as uncounted
        ) as uncounted where ${isWanted}
      ), summed as (
        select (${by === "day" ? Prisma.sql`day::text` : Prisma.sql`subject`}) collate "C" as key, ${sums} from counted group by 1
      )
      select * from summed where (${isAfter}) and ${columnsSum} > 0
      order by key ${by === "day" ? Prisma.sql`desc` : Prisma.empty} limit ${page.limit + 1}::int`;
  });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const isMore = rows.length > page.limit && last !== undefined;
  return { items, nextCursor: isMore ? encodeNameCursor(`=${last.key}`) : null };
}

const columns = Prisma.raw(usageCounts.join(", "));
const columnsSum = Prisma.raw(`(${usageCounts.join(" + ")})`);
const sums = Prisma.raw(usageCounts.map((name) => `sum(${name})::float8 as ${name}`).join(", "));

/** Counts and rows must be read at one moment: a row may be counted between two reads. */
async function inSnapshot<Result>(
  db: Database,
  read: (tx: Prisma.TransactionClient, countedUntilMs: number) => Promise<Result>,
): Promise<Result> {
  return await db.$transaction(
    async (tx) => {
      await walkAlongIndexes(tx);
      const progress = await tx.usageProgress.findFirst({ select: { countedUntil: true } });
      return await read(tx, progress?.countedUntil.getTime() ?? 0);
    },
    { isolationLevel: "RepeatableRead", maxWait: 10_000, timeout: 20_000 },
  );
}
