import { AppError } from "#lib/base/errors.ts";
import { removeDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { byId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Permanently deletes a delivery with its runs and their attempts. If the same event is sent again,
 * it is still a duplicate and runs nothing. Throws `conflict` while one of its calls is in flight.
 */
export const deleteDelivery = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      // The error rolls back everything deleted so far.
      if (!(await removeDelivery(tx, context.actor.accountId, id)))
        throw new AppError(
          "conflict",
          "A call of this delivery is in progress. Wait for it to end, or cancel the run first.",
        );
      await audit(context, { event: "delivery.deleted", targets: [{ type: "delivery", id }] }, tx);
    });
  },
});
