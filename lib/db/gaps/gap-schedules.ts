/** How often a hook's provider is asked for what never arrived, as its owner sees it. */

import type { GapSchedule } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { GapTakeIn } from "#lib/schema/receive/gap.ts";

export type GapScheduleRecord = Pick<
  GapSchedule,
  "hookId" | "credentialId" | "webhook" | "searchedUntil" | "nextAt" | "savedBy"
> & { readonly every: "hour" | "day"; readonly takeIn: GapTakeIn };

/** Null: it is off. */
export async function findSchedule(
  db: Database | Transaction,
  accountId: string,
  hookId: string,
): Promise<GapScheduleRecord | null> {
  const found = await db.gapSchedule.findFirst({ where: { accountId, hookId } });
  return found === null ? null : toRecord(found);
}

type NewSchedule = Pick<
  GapSchedule,
  "accountId" | "hookId" | "credentialId" | "webhook" | "savedBy"
> &
  Pick<GapScheduleRecord, "every" | "takeIn">;

/** Stores a schedule. The first search is due now. */
export async function putSchedule(tx: Transaction, schedule: NewSchedule): Promise<void> {
  const { hookId, accountId, ...changed } = schedule;
  const nextAt = new Date();
  await tx.gapSchedule.upsert({
    where: { hookId, accountId },
    create: { ...schedule, nextAt },
    update: { ...changed, nextAt, updatedAt: nextAt },
  });
}

export async function removeSchedule(
  tx: Transaction,
  accountId: string,
  hookId: string,
): Promise<void> {
  await tx.gapSchedule.deleteMany({ where: { accountId, hookId } });
}

function toRecord({ every, takeIn, ...schedule }: GapSchedule): GapScheduleRecord {
  const { hookId, credentialId, webhook, searchedUntil, nextAt, savedBy } = schedule;
  return {
    ...{ hookId, credentialId, webhook, searchedUntil, nextAt, savedBy },
    every: every === "day" ? "day" : "hour",
    takeIn: takeIn === "store" || takeIn === "run" ? takeIn : "none",
  };
}
