import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type Acceptance,
  acceptDelivery as acceptStored,
  examineDelivery as examineStored,
} from "#lib/evaluate/stored/accept-delivery.ts";
import { byId } from "#lib/schema/field/common.ts";
import { withEvaluationParts } from "#lib/services/evaluation.ts";
import { seesMasked } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { readWholeDelivery, type WholeDelivery } from "./read-deliveries.ts";

type AcceptedDelivery = WholeDelivery & {
  /** A duplicate's event isn't new, so it runs nothing. */
  readonly outcome: "accepted" | "duplicate";
};

/**
 * Accepts a rejected delivery that verifies now, and queues its runs. Throws `conflict` if it doesn't
 * verify, can't be checked, or is no longer rejected.
 */
export const acceptDelivery = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<AcceptedDelivery> => {
    const { db, actor } = context;
    const outcome = await withEvaluationParts(context, (parts) =>
      db.$transaction(
        async (tx) => {
          const accepted = await acceptStored(tx, actor.accountId, id, parts);
          const targets = [{ type: "delivery", id }];
          await audit(context, { event: "delivery.accepted", targets }, tx);
          return accepted;
        },
        { timeout: 30_000 },
      ),
    );
    if (outcome === "accepted") notifyRunsDue(db);
    return { ...(await readWholeDelivery(context, id)), outcome };
  },
});

/**
 * Checks if a rejected delivery could be accepted now, and if not, why. Null: it isn't rejected, or
 * has masked fields.
 */
export const examineDelivery = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }): Promise<Acceptance | null> =>
    seesMasked(context.actor)
      ? null
      : await withEvaluationParts(context, (parts) =>
          examineStored(context.db, context.actor.accountId, id, parts),
        ),
});
