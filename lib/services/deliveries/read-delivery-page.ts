import { listActions } from "#lib/db/actions/actions.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { readDeliveryRelations } from "#lib/db/deliveries/delivery-relations.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { byId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import { explainActions } from "./explain-delivery.ts";
import { decodeReceived } from "./read-deliveries.ts";

/** The maximum per hook. */
const maxActions = 100;

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
    return { delivery, decoded, hook, actions: actions.items, relations, reply, whys };
  },
});
