import { z } from "zod";
import { explainRun } from "#lib/core/watch/why/explain-run.ts";
import type { Why } from "#lib/core/watch/why/why-facts.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { readWhyFacts, type WhyDelivery } from "#lib/db/runs/read-why-facts.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The reason why an action did or didn't run on a delivery. */
export type ActionWhy = Why & {
  readonly actionId: string;
  readonly name: string;
  readonly runId: string | null;
};

/** All actions of the delivery's hook, in their order. */
export async function explainActions(
  { db }: ServiceParts,
  accountId: string,
  delivery: WhyDelivery,
  actionId: string | null = null,
): Promise<readonly ActionWhy[]> {
  const found = await readWhyFacts(db, accountId, delivery, actionId);
  return found.map(({ facts, ...of }) => ({ ...of, ...explainRun(facts) }));
}

/**
 * Explains why one action, even a deleted one, or each action did or didn't run. Throws
 * `not_found`.
 */
export const explainDelivery = service({
  permission: "deliveries:read",
  input: z.strictObject({ id: recordId, actionId: z.string().max(64).optional() }),
  run: async (context, { id, actionId }): Promise<ActionWhy | readonly ActionWhy[]> => {
    const { accountId } = context.actor;
    const delivery = await getDelivery(context.db, accountId, id);
    const of = actionId === undefined ? null : requireId("action", actionId);
    const { status: hookStatus } = await getHook(context.db, accountId, delivery.hookId);
    const found = await explainActions(context, accountId, { ...delivery, hookStatus }, of);
    if (of === null) return found;
    const [one] = found;
    if (one === undefined) throw notFound("action");
    return one;
  },
});
