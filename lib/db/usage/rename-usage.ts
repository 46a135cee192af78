import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { addCounts, usageLock } from "./select-usage.ts";

/**
 * Gives the usage of a recipient to another one, whose counts grow by it. Hours and days of a recipient
 * have to be renamed alike: a day is changed by what its hours change.
 *
 * @param key the primary key of the row
 */
export async function renameUsage(
  tx: SqlStatements,
  table: "usage_hours" | "usage_days",
  key: readonly string[],
  { subject }: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  if (typeof subject !== "string") return;
  await tx.$executeRaw`select pg_advisory_xact_lock(${usageLock})`;
  const name = Prisma.raw(table);
  const [first = "", second = "", kind = "", former = ""] = key;
  const isHour = table === "usage_hours";
  const [at, accountId] = isHour ? [first, second] : [second, first];
  const time = isHour ? Prisma.raw("hour") : Prisma.raw("day");
  const type = isHour ? Prisma.raw("timestamptz") : Prisma.raw("date");
  await tx.$executeRaw`
    with gone as (
      delete from ${name} where account_id = ${accountId}::uuid and ${time} = ${at}::text::${type}
        and kind = ${kind} and subject = ${former} returning *
    )
    insert into ${name} as known (account_id, ${time}, kind, subject, deliveries, bytes, events, sends, calls)
    select account_id, ${time}, kind, ${subject}, deliveries, bytes, events, sends, calls from gone
    on conflict (account_id, ${time}, kind, subject) do update set ${addCounts("+", "known", "excluded")}`;
}
