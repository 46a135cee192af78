import { type DeliveryView, readDeliveryContext } from "#lib/core/delivery-context.ts";
import { evaluateFilter } from "#lib/core/filter/evaluate-filter.ts";
import { getHook } from "#lib/db/hooks.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import type { ActionFilter } from "#lib/schema/action-filter.ts";
import { readStoredDelivery } from "./build-preview.ts";
import type { ServerContext } from "./server-context.ts";

const mostJudged = 20;
/** Of bodies, read for one answer. */
const mostBytes = 4 * 1024 * 1024;

export type FilterTally = { readonly judged: number; readonly runs: number };

/** For how many of the latest accepted deliveries the filter would let the action run. Throws `not_found`. */
export async function judgeFilter(
  context: ServerContext,
  accountId: string,
  hookId: string,
  filter: ActionFilter,
): Promise<FilterTally> {
  const { db } = context;
  const hook = await getHook(db, accountId, hookId);
  const page = { limit: mostJudged };
  const { items } = await listDeliveries(db, accountId, { hookId: hook.id, status: "accepted" }, page);
  const ids = withinBytes(items);
  const deliveries = await Promise.all(ids.map((id) => readStoredDelivery(context, accountId, id)));
  const verdicts = await Promise.all(deliveries.map((delivery) => judge(delivery, hook, filter)));
  return { judged: verdicts.length, runs: verdicts.filter(Boolean).length };
}

async function judge(
  delivery: DeliveryView,
  { id, name }: { readonly id: string; readonly name: string },
  filter: ActionFilter,
): Promise<boolean> {
  return evaluateFilter(filter, await readDeliveryContext(delivery, { id, name })).matches;
}

function withinBytes(
  items: readonly { readonly id: string; readonly bodySize: number }[],
): readonly string[] {
  let bytes = 0;
  return items.flatMap(({ id, bodySize }) => {
    bytes += bodySize;
    return bytes > mostBytes ? [] : [id];
  });
}
