import { z } from "zod";
import { mapFew } from "#lib/base/map-few.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { callActionSchema } from "#lib/schema/act/action.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import { readStoredDelivery } from "./build-preview.ts";

export const maxEvaluated = 20;
/** The limit for bodies per request. */
const maxBytes = 4 * 1024 * 1024;

export type FilterTally = { readonly evaluated: number; readonly runs: number };

/**
 * Counts how many of the latest accepted deliveries would run an action of the hook. Null: the
 * action has no filter. Throws `not_found`.
 */
export const tallyFilter = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: recordId, filter: callActionSchema.shape.filter }),
  run: async (context, { hookId, filter }): Promise<FilterTally | null> =>
    filter === null ? null : await tally(context, hookId, filter),
});

async function tally(
  context: ServiceContext,
  hookId: string,
  filter: ActionFilter,
): Promise<FilterTally> {
  const { db } = context;
  const { accountId } = context.actor;
  const hook = await getHook(db, accountId, hookId);
  const page = { limit: maxEvaluated };
  const { items } = await listDeliveries(
    db,
    accountId,
    { hookId: hook.id, status: "accepted" },
    page,
  );
  const ids = withinBytes(items);
  const deliveries = await mapFew(ids, (id) => readStoredDelivery(context, accountId, id));
  const verdicts = await Promise.all(
    deliveries.map((delivery) => evaluate({ delivery, hook, filter })),
  );
  return { evaluated: verdicts.length, runs: verdicts.filter(Boolean).length };
}

type EvaluationInput = {
  readonly delivery: DeliveryView;
  readonly hook: HookRecord;
  readonly filter: ActionFilter;
};

/** A filter that can't be evaluated fails a run. */
async function evaluate({ delivery, hook, filter }: EvaluationInput): Promise<boolean> {
  const { accountId } = hook;
  const need = { kind: "nothing" } as const;
  const nowMs = delivery.receivedAtMs;
  const input = {
    delivery,
    hook: toHookView(hook),
    filter,
    need,
    nowMs,
    builds: "when_matched",
  } as const;
  const work = { accountId, actionChars: JSON.stringify(filter).length };
  const { verdict, built } = await prepareBounded(webThreads(), input, work);
  return verdict.matches && built?.ok === true;
}

/** The first deliveries whose bodies together stay within the limit of one request. */
export function withinBytes(
  items: readonly { readonly id: string; readonly bodySize: number }[],
): readonly string[] {
  let bytes = 0;
  return items.flatMap(({ id, bodySize }) => {
    bytes += bodySize;
    return bytes > maxBytes ? [] : [id];
  });
}
