import { z } from "zod";
import { describeHour } from "#lib/core/watch/silence/describe-silence.ts";
import { learnRhythm, type UnknownRhythm } from "#lib/core/watch/silence/learn-rhythm.ts";
import { buildTimeline } from "#lib/core/watch/silence/timeline.ts";
import { getHook, listHooks } from "#lib/db/hooks/hooks.ts";
import { readHookStatistics, readHookTotals, sumEvents } from "#lib/db/overview/statistics.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { countOpenRuns, sumWaiting } from "#lib/db/runs/open-runs.ts";
import { readCountedUntil, readHookHours } from "#lib/db/silence/hook-hours.ts";
import { byId, noFields, recordId } from "#lib/schema/field/common.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";

export type { HookStatistics, HookTotals } from "#lib/db/overview/statistics.ts";

/** More than an account has. */
const maxHooks = 1_000;

/** All hooks of the account, newest first, each with its last 24 hours. */
export const listHookTotals = service({
  permission: "hooks:read",
  input: noFields,
  run: async ({ db, actor }) => {
    authorize(actor, "deliveries:read");
    const { items, nextCursor } = await listHooks(db, actor.accountId, { limit: maxHooks });
    const ids = items.map(({ id }) => id);
    const totals = await readHookTotals(db, actor.accountId, ids);
    const hooks = items.map((hook) => ({ hook, totals: totals.get(hook.id) }));
    return { hooks, isCut: nextCursor !== null };
  },
});

/** The last 24 hours of these hooks by the hour. */
export const listHookHours = service({
  permission: "deliveries:read",
  input: z.strictObject({ ids: z.array(recordId) }),
  run: ({ db, actor }, { ids }) => readHookStatistics(db, actor.accountId, ids),
});

/** A hook's last 24 hours and its queue. Null: nothing has arrived yet. */
export const readHookFigures = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const [statistics, open] = await Promise.all([
      readHookStatistics(db, actor.accountId, [id]),
      countOpenRuns(db, actor.accountId),
    ]);
    const found = statistics.get(id);
    if (found === undefined || found.last === null) return null;
    const { hours, deliveries, last } = found;
    return {
      usualNow: (await readRhythm(db, id)).usualNow,
      arrived: sumEvents(deliveries),
      hours: hours.map((hour) => sumEvents(hour.deliveries)),
      rejectedHours: hours.map((hour) => hour.deliveries.rejected),
      deliveries,
      last,
      waiting: sumWaiting(open.filter(({ hookId }) => hookId === id)),
    };
  },
});

/** The figures by which a hook's silence is measured. */
type HookRhythm = {
  /** Such as `12–40 an hour`. Null: nothing usually comes at this hour, or that isn't known. */
  readonly usualNow: string | null;
  /** Why its rhythm isn't known yet. Null: it is known. */
  readonly unknown: UnknownRhythm["reason"] | null;
};

/** When deliveries of a hook usually arrive. Throws `not_found`. */
export const readHookRhythm = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }) =>
    await readRhythm(db, (await getHook(db, actor.accountId, id)).id),
});

async function readRhythm(db: Database, hookId: string): Promise<HookRhythm> {
  const untilMs = await readCountedUntil(db);
  if (untilMs === null) return { usualNow: null, unknown: "never" };
  const timeline = buildTimeline(await readHookHours(db, hookId, untilMs));
  const rhythm = learnRhythm(timeline);
  const unknown = rhythm.kind === "unknown" ? rhythm.reason : null;
  return { usualNow: describeHour(timeline, untilMs), unknown };
}
