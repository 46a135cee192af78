import { z } from "zod";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import {
  type SuggestedProvider,
  suggestProvider,
} from "#lib/core/verify/recognize/suggest-provider.ts";
import { describeHour } from "#lib/core/watch/silence/describe-silence.ts";
import { learnRhythm, type UnknownRhythm } from "#lib/core/watch/silence/learn-rhythm.ts";
import { buildTimeline } from "#lib/core/watch/silence/timeline.ts";
import { countRateLimited } from "#lib/db/deliveries/rejected-counts.ts";
import { sampleDeliveries } from "#lib/db/deliveries/sample-deliveries.ts";
import { countHookContents, countPendingDeliveries } from "#lib/db/hooks/hook-contents.ts";
import { findHooksByName } from "#lib/db/hooks/hook-names.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook as findHook, listHooks as findHooks } from "#lib/db/hooks/hooks.ts";
import { readHookStatistics, readHookTotals, sumEvents } from "#lib/db/overview/statistics.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { countOpenRuns, sumWaiting } from "#lib/db/runs/open-runs.ts";
import { readCountedUntil, readHookHours } from "#lib/db/silence/hook-hours.ts";
import { byId, filterText, noFields, pageFields, recordId } from "#lib/schema/field/common.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { countDifferingDuplicates } from "./check-identity.ts";

export type { HookRecord, HookSecretSummary, SavedHook } from "#lib/db/hooks/hook-record.ts";

export type { HookStatistics, HookTotals } from "#lib/db/overview/statistics.ts";

/** Throws `not_found` if it is deleted or another account's. */
export const getHook = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findHook(db, actor.accountId, id),
});

/** The account's hooks, newest first. */
export const listHooks = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findHooks(db, actor.accountId, page),
});

/** The newest hooks whose names contain a text. An empty text is in every name. */
export const findNamedHooks = service({
  permission: "hooks:read",
  input: z.strictObject({ text: z.union([z.literal(""), filterText]), limit: z.int() }),
  run: ({ db, actor }, { text, limit }) => findHooksByName(db, actor.accountId, text, limit),
});

/** Counts what is deleted with a hook. */
export const readHookContents = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => countHookContents(db, actor.accountId, id),
});

/** More than an account has. */
const maxHooks = 1_000;

/** All hooks of the account, newest first, each with its last 24 hours. */
export const listHookTotals = service({
  permission: "hooks:read",
  input: noFields,
  run: async ({ db, actor }) => {
    authorize(actor, "deliveries:read");
    const { items, nextCursor } = await findHooks(db, actor.accountId, { limit: maxHooks });
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
    await readRhythm(db, (await findHook(db, actor.accountId, id)).id),
});

async function readRhythm(db: Database, hookId: string): Promise<HookRhythm> {
  const untilMs = await readCountedUntil(db);
  if (untilMs === null) return { usualNow: null, unknown: "never" };
  const timeline = buildTimeline(await readHookHours(db, hookId, untilMs));
  const rhythm = learnRhythm(timeline);
  const unknown = rhythm.kind === "unknown" ? rhythm.reason : null;
  return { usualNow: describeHour(timeline, untilMs), unknown };
}

/** Hints of the deliveries of a hook about its settings. Throws `not_found`. */
export const readHookState = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }) => {
    const { db, actor } = context;
    const hook = await findHook(db, actor.accountId, id);
    const [pending, rateLimited, differingDuplicates, suggestion] = await Promise.all([
      countPendingDeliveries(db, actor.accountId, hook.id),
      countRateLimited(db, actor.accountId, hook.id),
      countDifferingDuplicates(db, hook),
      suggestByDeliveries(context, hook),
    ]);
    return {
      pending,
      /** The count within 24 hours. */
      rateLimited,
      /** Recent duplicates that say something else than the delivery that they repeat. */
      differingDuplicates,
      /** The provider that a hook without one seems to receive from. Null: unknown. */
      suggestion,
    };
  },
});

const samples = { count: 3, maxBodyBytes: 65_536 };

async function suggestByDeliveries(
  { db, actor }: ServiceContext,
  hook: HookRecord,
): Promise<SuggestedProvider | null> {
  if (hook.provider !== "generic") return null;
  const found = await sampleDeliveries(db, actor.accountId, hook.id, samples);
  for (const { headersJson, body } of found) {
    const headers = toDistinctHeaders(JSON.parse(headersJson));
    const suggestion = suggestProvider({ headers, body });
    if (suggestion !== null) return suggestion;
  }
  return null;
}
