import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { requireCallableOrigin } from "#lib/core/sending/credential/check-credential.ts";
import {
  countDestinations,
  type DestinationRecord,
  getDestination,
  insertDestination,
} from "#lib/db/destinations/destinations.ts";
import { destinationInputSchema } from "#lib/schema/act/destination.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireCredential } from "./require-credential.ts";

const maxDestinations = 1_000;

/** Creates a destination. Throws `invalid_request` for an origin that may not be called. */
export const createDestination = service({
  permission: "hooks:write",
  input: destinationInputSchema,
  run: async (context, input): Promise<DestinationRecord> => {
    const { accountId } = context.actor;
    requireCallableOrigin(input.origin, context.env.egressAllow);
    const id = newId();
    return await context.db.$transaction(async (tx) => {
      if ((await countDestinations(tx, accountId)) >= maxDestinations)
        throw new AppError("conflict", `An account has at most ${maxDestinations} destinations.`);
      await requireCredential(tx, accountId, input);
      await insertDestination(tx, { id, accountId, ...input });
      const targets = [{ type: "destination", id, name: input.name }];
      await audit(context, { event: "destination.created", targets }, tx);
      return await getDestination(tx, accountId, id);
    });
  },
});
