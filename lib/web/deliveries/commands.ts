"use server";

import { reject } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { applyFix } from "#lib/services/deliveries/apply-fix.ts";
import {
  acceptDeliveries,
  acceptDelivery,
  acceptSelected,
  countRejected,
  deleteDelivery,
  replaySelected,
  retrySelected,
} from "#lib/services/deliveries/change-deliveries.ts";
import {
  replayDelivery,
  startReplay,
  tryReplay,
} from "#lib/services/deliveries/replay-deliveries.ts";
import { ask, change } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";
import { readRejectedFilter } from "#lib/web/deliveries/delivery-filters.ts";

/** Replays a delivery. Returns the number of queued runs. */
export const replayCommand = change(replayDelivery, ["id", "actionIds"], (runs) => runs.length);
/** Deletes a delivery. No page is read again, because the one that asks for it is gone. */
export const deleteDeliveryCommand = ask(deleteDelivery, ["id"], () => null);
export const applyFixCommand = change(applyFix, ["id", "code"]);
export const acceptCommand = change(acceptDelivery, ["id"], ({ outcome }) => outcome);

export const acceptSelectedCommand = change(acceptSelected, ["ids"], (changed) => changed);
export const replaySelectedCommand = change(replaySelected, ["ids"], (changed) => changed);
export const retrySelectedCommand = change(retrySelected, ["ids"], (changed) => changed);

/** The filters of a list, as in its URL. */
type Values = Readonly<Record<string, string>>;

const count = ask(countRejected, ["filter"]);
const acceptAll = change(acceptDeliveries, ["filter", readLimits]);
const notRejected = reject("Filter by the status Rejected first.");

/** Counts the deliveries that a job would process. Null: too many to count. */
export async function countAcceptCommand(values: Values) {
  const filter = readRejectedFilter(values);
  return filter === null ? notRejected : await count(filter);
}

export async function startAcceptCommand(values: Values, limits: Parameters<typeof readLimits>[0]) {
  const filter = readRejectedFilter(values);
  return filter === null ? notRejected : await acceptAll(filter, limits);
}

type Place = { readonly hookId: string; readonly actionId: string };
type ReplayInput = Parameters<typeof readLimits>[0] & {
  readonly which: "missing" | "all";
  readonly as: "now" | "then";
  readonly from: string;
  readonly to: string;
};

const tryOut = ask(tryReplay, ["..."]);
const replay = change(startReplay, ["..."]);

/** Shows what a replay would do. Queues nothing. */
export async function tryReplayCommand(place: Place, input: ReplayInput) {
  return await tryOut(readReplay(place, input));
}

export async function startReplayCommand(place: Place, input: ReplayInput) {
  return await replay(readReplay(place, input));
}

function readReplay({ hookId, actionId }: Place, given: ReplayInput) {
  const { which, as, from, to } = given;
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  return {
    filter: { hookId, ...Object.fromEntries(times.filter(([, time]) => time !== "")) },
    actionIds: [actionId],
    as,
    onlyMissing: which === "missing",
    ...readLimits(given),
  };
}
