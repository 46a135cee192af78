import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import {
  findMappingDeliveries,
  loadMappingPayload,
  type MappingDelivery,
  toMappingDelivery,
} from "#lib/services/actions/steps/mapping-source.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listShownAuths } from "#lib/web/actions/action-view.ts";
import { nullIfNotFound } from "#lib/web/request/null-if-not-found.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";

/**
 * Reads the editor's data besides the action: deliveries to try it on, `chosen` first. Throws
 * `not_found`.
 */
export async function readMappingContext(
  context: ServiceContext,
  accountId: string,
  { hookId, actionId }: { readonly hookId: string; readonly actionId: string | null },
  chosen?: string,
) {
  const { id, name, provider } = await readHook(context, hookId);
  const [recent, eventTypes] = await Promise.all([
    findMappingDeliveries(context, accountId, id),
    listEventTypes(context.db, accountId, id),
  ]);
  const isOffered = chosen === undefined || recent.some((delivery) => delivery.id === chosen);
  const deliveries = isOffered
    ? recent
    : [...(await readChosen(context, accountId, id, chosen)), ...recent];
  const first = deliveries.find((delivery) => delivery.id === chosen) ?? deliveries[0];
  return {
    hook: { id, name, provider },
    deliveries,
    eventTypes,
    deliveryId: first?.id ?? null,
    payload:
      first === undefined
        ? null
        : await loadMappingPayload(context, accountId, {
            hookId,
            actionId,
            deliveryId: first.id,
          }),
  };
}

/** The delivery in the URL; undefined if it isn't this hook's. */
async function readChosen(
  { db }: ServiceContext,
  accountId: string,
  hookId: string,
  deliveryId: string,
): Promise<readonly MappingDelivery[]> {
  const found = await getDelivery(db, accountId, deliveryId).catch(nullIfNotFound);
  return found?.hookId === hookId ? [toMappingDelivery(found)] : [];
}

/**
 * A saved action for its editor, with only the kind and a hint of its credentials, by the key of the
 * step. Throws `not_found`.
 */
export async function readEditedAction(context: ServiceContext, actionId: string) {
  const action = await readAction(context, actionId);
  const breakerState = await readBreaker(context.db, action.id);
  return { action, auths: listShownAuths(action, context.sealer), breakerState };
}
