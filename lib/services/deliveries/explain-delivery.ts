import { z } from "zod";
import { pick } from "#lib/base/pick.ts";
import { explainRun } from "#lib/core/watch/why/explain-run.ts";
import type { Why } from "#lib/core/watch/why/why-facts.ts";
import { listActions } from "#lib/db/actions/actions.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { readDeliveryRelations } from "#lib/db/deliveries/delivery-relations.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { readWhyFacts, type WhyDelivery } from "#lib/db/runs/read-why-facts.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { decodeReceived } from "./read-deliveries.ts";

/** The maximum per hook. */
const maxActions = 100;

/** The parts that explain a delivery. A reader of deliveries gets no other setting of its hook. */
const shownOfHook = [
  ...(["id", "name", "status", "accountSlug", "key", "path", "updatedAt"] as const),
  ...(["provider", "verification", "dedupe", "eventType", "response"] as const),
];
const shownOfAction = [
  ...(["id", "name", "enabled", "position", "version", "createdAt"] as const),
  ...(["request", "steps"] as const),
];

/** A delivery and what it is connected with, but for its runs. Throws `not_found`. */
export const getDeliveryWithHook = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }) => {
    const { db, actor } = context;
    const { accountId } = actor;
    const delivery = await getDelivery(db, accountId, id);
    const [hook, actions, relations, reply, decoded] = await Promise.all([
      getHook(db, accountId, delivery.hookId),
      listActions(db, accountId, delivery.hookId, { limit: maxActions }),
      readDeliveryRelations(db, accountId, delivery),
      findDeliveryReply(db, accountId, delivery.id),
      decodeReceived(delivery),
    ]);
    const ofHook = { ...delivery, hookStatus: hook.status };
    /** Why each action did or didn't run. */
    const whys = await explainActions(context, accountId, ofHook);
    return {
      ...{ delivery, decoded, relations, reply, whys },
      hook: pick(hook, ...shownOfHook),
      actions: actions.items.map((action) => pick(action, ...shownOfAction)),
    };
  },
});

/** The reason why an action did or didn't run on a delivery. */
export type ActionWhy = Why & {
  readonly actionId: string;
  readonly name: string;
  readonly runId: string | null;
};

/** All actions of the delivery's hook, in their order. */
async function explainActions(
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
  input: z.strictObject({
    id: recordId,
    actionId: z
      .string()
      .max(64)
      .optional()
      .describe("The action to explain. Omitted: each action of the hook"),
  }),
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
