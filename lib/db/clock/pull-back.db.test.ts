import { expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { acceptClock, readClock } from "./database-clock.ts";

const { db } = withDatabase();
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const ahead = 100 * day;
const at = (offMs: number) => new Date(Date.now() + offMs);

/** How a run waits, from the right time, and when it is due once the clock is right. */
const waits = [
  { name: "caught while it was ahead", dueMs: ahead - hour, leftMs: 0 },
  {
    name: "tried while it was ahead",
    reason: "receiver_down",
    dueMs: ahead + 20 * minute,
    leftMs: 20 * minute,
  },
  { name: "out of calls", reason: "rate_limited", dueMs: ahead + hour, leftMs: hour },
  {
    name: "a delay that began while it was ahead",
    reason: "delay",
    begunMs: ahead,
    dueMs: ahead + 2 * hour,
    leftMs: 2 * hour,
  },
  {
    name: "a delay that began before",
    reason: "delay",
    begunMs: -day,
    dueMs: 5 * day,
    leftMs: 5 * day,
  },
  {
    name: "held for a decision",
    reason: "outcome_unknown",
    dueMs: 36_500 * day,
    leftMs: 36_500 * day,
  },
  { name: "due", dueMs: -minute, leftMs: 0 },
] as const;

it.each([
  ["by itself", at(0), () => readClock(db, { host: "here", role: "test", now: Date.now })],
  ["once it is accepted", null, () => acceptClock(db)],
])(
  "a clock that was 100 days ahead holds nothing for 100 days, %s",
  async (_name, trustedAt, look) => {
    const rates = ["database_clock", "target_rates", "target_breakers"];
    await emptyTables(db, "queue", "deliveries", "run_steps", ...rates);
    const hook = await addHook(db);
    const actionId = await addAction(db, hook);
    const made = waits.map(() => newDelivery(hook));
    await storeDeliveries(db, made);
    for (const [n, { id }] of made.entries()) {
      const wait = waits[n];
      if (wait === undefined) continue;
      const { id: runId, accountId } = await db.queuedRun.findFirstOrThrow({
        where: { deliveryId: id },
      });
      const dueAt = at(wait.dueMs);
      await db.queuedRun.update({
        where: { id: runId },
        data: { dueAt, reasonCode: "reason" in wait ? wait.reason : null },
      });
      if ("begunMs" in wait)
        await db.runStep.create({
          data: {
            id: runId,
            accountId,
            key: "pause",
            item: -1,
            state: "waiting",
            dueAt,
            startedAt: at(wait.begunMs),
          },
        });
    }
    await db.$executeRaw`insert into target_rates (target_id, next_at) values (${actionId}::uuid, ${at(ahead)})`;
    await db.$executeRaw`
    insert into target_breakers (target_id, failed_at, down_since, next_try_at)
    values (${actionId}::uuid, array[${at(ahead)}::timestamptz], ${at(ahead)}, ${at(ahead + minute)})`;
    await db.$executeRaw`insert into database_clock (seen_at, trusted_at) values (${at(ahead)}, ${trustedAt})`;

    await look();

    // In tens, so that a slow machine changes nothing.
    const minutes = (time: Date | null) =>
      10 * Math.round(((time?.getTime() ?? 0) - Date.now()) / (10 * minute)) + 0;
    const queued = await db.queuedRun.findMany();
    const dueOf = new Map(queued.map(({ deliveryId, dueAt }) => [deliveryId, minutes(dueAt)]));
    expect(waits.map(({ name }, n) => [name, dueOf.get(made[n]?.id ?? "")])).toEqual(
      waits.map(({ name, leftMs }) => [name, leftMs / minute]),
    );
    const steps = await db.runStep.findMany({ orderBy: { startedAt: "desc" } });
    expect(steps.map(({ dueAt }) => minutes(dueAt))).toEqual([120, 5 * 24 * 60]);
    const [rate] = await db.$queryRaw<{ at: Date }[]>`select next_at as at from target_rates`;
    const breaker = await db.targetBreaker.findFirstOrThrow();
    expect([rate?.at ?? null, breaker.downSince, breaker.nextTryAt].map(minutes)).toEqual([
      0, 0, 0,
    ]);
    expect(breaker.failedAt).toEqual([]);
  },
);
