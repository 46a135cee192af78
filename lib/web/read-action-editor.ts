import { getAction } from "#lib/db/actions.ts";
import { getDelivery } from "#lib/db/deliveries.ts";
import { getHook } from "#lib/db/hooks.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import { showAction } from "./api/show-action.ts";
import { showDelivery } from "./api/show-delivery.ts";
import { viewBody } from "./delivery-body.ts";
import { serverContext } from "./server-context.ts";
import { TextBudget } from "./text-budget.ts";

const offeredDeliveries = 20;
const treeBytes = 240_000;

/** What mapping needs besides the action: deliveries to try it on. Throws `not_found`. */
export async function readMappingGround(accountId: string, hookId: string) {
  const { db } = serverContext();
  const { id, name } = await getHook(db, accountId, hookId);
  const filter = { hookId: id, status: "accepted" } as const;
  const { items } = await listDeliveries(db, accountId, filter, { limit: offeredDeliveries });
  const [newest] = items;
  return {
    hook: { id, name },
    nowMs: Date.now(),
    deliveries: items.map(({ id, eventType, eventId, receivedAt }) => ({
      id,
      receivedAt,
      name: (eventType ?? eventId ?? "Delivery").slice(0, 100),
    })),
    payload: newest === undefined ? null : await readMappingPayload(accountId, newest.id),
  };
}

/** The fields of a delivery to choose from. Throws `not_found`. */
export async function readMappingPayload(accountId: string, deliveryId: string) {
  const shown = await showDelivery(await getDelivery(serverContext().db, accountId, deliveryId), []);
  const budgets = { tree: new TextBudget(treeBytes), raw: new TextBudget(0) };
  const { tree, isTreeCut, treeProblem } = viewBody(shown, budgets);
  return { tree, isTreeCut, treeProblem };
}

/** A saved action as its editor needs it; of its credentials only the kind and a hint. Throws `not_found`. */
export async function readEditedAction(accountId: string, actionId: string) {
  const { db, sealer } = serverContext();
  const action = await getAction(db, accountId, actionId);
  return { action, auth: showAction(action, sealer).request.auth };
}
