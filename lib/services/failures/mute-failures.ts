import {
  type FailureKey,
  muteFailures as mute,
  unmuteFailures as unmute,
} from "#lib/db/failures/muted-failures.ts";
import { muteFailureSchema } from "#lib/schema/act/failure.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Mutes the failures of an action or a subscription with one reason until it changes. Throws
 * `not_found`.
 */
export const muteFailures = service({
  permission: "deliveries:write",
  input: muteFailureSchema,
  run: async (context, key): Promise<null> => {
    await context.db.$transaction(async (tx) => {
      await mute(tx, context.actor.accountId, key);
      await audit(context, { event: "failures.muted", targets: [toTarget(key)] }, tx);
    });
    return null;
  },
});

/** Ends it. Throws `not_found`. */
export const unmuteFailures = service({
  permission: "deliveries:write",
  input: muteFailureSchema,
  run: async (context, key): Promise<null> => {
    await context.db.$transaction(async (tx) => {
      await unmute(tx, context.actor.accountId, key);
      await audit(context, { event: "failures.unmuted", targets: [toTarget(key)] }, tx);
    });
    return null;
  },
});

function toTarget({ actionId, subscriptionId = "" }: FailureKey) {
  return actionId === undefined
    ? { type: "subscription", id: subscriptionId }
    : { type: "action", id: actionId };
}
