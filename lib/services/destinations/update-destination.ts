import { requireCallableOrigin } from "#lib/core/sending/credential/check-credential.ts";
import {
  changeDestination,
  type DestinationRecord,
  getDestination,
  lockDestination,
  touchActionsOf,
} from "#lib/db/destinations/destinations.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type DestinationInput,
  type DestinationPatch,
  destinationPatchSchema,
} from "#lib/schema/act/destination.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireCredential } from "./require-credential.ts";
import { requireUnused } from "./require-unused.ts";

/**
 * Changes a destination. Omitted fields stay. Throws `conflict` for a new origin while an action
 * uses it.
 */
export const updateDestination = service({
  permission: "hooks:write",
  input: destinationPatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<DestinationRecord> => {
    const { db, env } = context;
    const { accountId } = context.actor;
    const saved = await db.$transaction(async (tx) => {
      const before = await lockDestination(tx, accountId, id);
      const after = { ...before, ...definedOf(patch) };
      if (after.origin !== before.origin) {
        requireCallableOrigin(after.origin, env.egressAllow);
        await requireUnused(tx, accountId, id, "Their URLs are at its origin, so it can't change.");
      }
      await requireCredential(tx, accountId, after);
      await changeDestination(tx, id, after);
      if (patch.breaker !== undefined) await closeBreaker(tx, id);
      if (after.credentialId !== before.credentialId) await touchActionsOf(tx, accountId, id);
      const changed = await getDestination(tx, accountId, id);
      const targets = [{ type: "destination", id, name: changed.name }];
      const states = { before, after: { ...before, ...definedOf(patch) } };
      await audit(context, { event: "destination.updated", targets, ...states }, tx);
      return changed;
    });
    notifyRunsDue(db);
    return saved;
  },
});

function definedOf(patch: DestinationPatch): Partial<DestinationInput> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
