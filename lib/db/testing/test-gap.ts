import { newId } from "#lib/base/ids.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/** A search of a hook that has ended and found one missing event. Returns its id. */
export async function addGap(db: Database, accountId: string, hookId: string): Promise<string> {
  const id = newId();
  const now = new Date();
  const fromAt = new Date(now.getTime() - 86_400_000);
  const missing = { key: newId(), state: "missing", eventId: "evt_1", occurredAt: fromAt };
  await db.gap.create({
    data: {
      ...{ id, accountId, hookId, provider: "stripe", status: "found", askedBy: "a test" },
      ...{ askedFrom: fromAt, fromAt, toAt: now, finishedAt: now, eventCount: 1, missingCount: 1 },
      events: { create: { ...missing, eventType: "invoice.paid", body: Buffer.from("{}") } },
    },
  });
  return id;
}
