import { readHookStatistics, sumEvents } from "#lib/db/overview/statistics.ts";
import { countOpenRuns, sumWaiting } from "#lib/db/runs/open-runs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readUsualNow } from "#lib/web/hooks/read-hook-rhythm.ts";

/** A hook's last 24 hours and its queue. Null: nothing has arrived yet. */
export async function readHookFigures({ db }: ServiceContext, accountId: string, hookId: string) {
  const [statistics, open] = await Promise.all([
    readHookStatistics(db, accountId, [hookId]),
    countOpenRuns(db, accountId),
  ]);
  const found = statistics.get(hookId);
  if (found === undefined || found.last === null) return null;
  const { hours, deliveries, last } = found;
  return {
    usualNow: await readUsualNow(db, hookId),
    arrived: sumEvents(deliveries),
    hours: hours.map((hour) => sumEvents(hour.deliveries)),
    rejectedHours: hours.map((hour) => hour.deliveries.rejected),
    deliveries,
    last,
    waiting: sumWaiting(open.filter((one) => one.hookId === hookId)),
  };
}
