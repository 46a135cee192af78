import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { pick } from "#lib/base/pick.ts";
import { requireCallableOrigin } from "#lib/core/sending/credential/check-credential.ts";
import {
  listCredentials as findCredentials,
  holdCredential,
} from "#lib/db/credentials/credentials.ts";
import {
  changeDestination,
  countDestinations,
  type DestinationRecord,
  getDestination as findDestination,
  listDestinations as findDestinations,
  insertDestination,
  lockDestination,
  removeDestination,
  touchActionsOf,
} from "#lib/db/destinations/destinations.ts";
import {
  listDestinationsOf,
  listSubscriptionsOf,
  listUses,
  nameUses,
} from "#lib/db/destinations/name-uses.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type DestinationInput,
  type DestinationPatch,
  destinationInputSchema,
  destinationPatchSchema,
} from "#lib/schema/act/destination.ts";
import { byId, noFields, pageFields, recordId } from "#lib/schema/field/common.ts";
import { type ReceiverKind, toReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { DestinationRecord } from "#lib/db/destinations/destinations.ts";

/** Returns a destination of the account. Throws `not_found`. */
export const getDestination = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findDestination(db, actor.accountId, id),
});

/** The account's destinations, newest first. */
export const listDestinations = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findDestinations(db, actor.accountId, page),
});

/** The maximum that an account can have. */
const everything = { limit: 1_000 };

/** The destinations and credentials that a request can name, each in the order of their names. */
export const listReceiverChoices = service({
  permission: "hooks:read",
  input: noFields,
  run: async ({ db, actor }) => {
    const [destinations, credentials] = await Promise.all([
      findDestinations(db, actor.accountId, everything),
      findCredentials(db, actor.accountId, everything),
    ]);
    return {
      destinations: toChoices(destinations.items),
      credentials: toChoices(
        credentials.items.map((each) => ({
          ...each,
          receiver: toReceiverKind(each.settings, each.origin),
        })),
      ),
    };
  },
});

/** The newest actions that use a destination. */
export const listDestinationUses = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => listUses(db, actor.accountId, "destination", id),
});

/** The newest actions, destinations, and subscriptions that use a credential. */
export const listCredentialUses = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const [actions, destinations, subscriptions] = await Promise.all([
      listUses(db, actor.accountId, "credential", id),
      listDestinationsOf(db, actor.accountId, id),
      listSubscriptionsOf(db, actor.accountId, id),
    ]);
    return { actions, destinations, subscriptions };
  },
});

type Choice = { readonly id: string; readonly name: string; readonly origin: string };

function toChoices<Item extends Choice & { readonly receiver?: ReceiverKind | null }>(
  items: readonly Item[],
): readonly Pick<Item, "id" | "name" | "origin" | "receiver">[] {
  const sorted = items.toSorted((a, b) => a.name.localeCompare(b.name));
  return sorted.map((item) => pick(item, "id", "name", "origin", "receiver"));
}

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
      return await findDestination(tx, accountId, id);
    });
  },
});

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
      const changed = await findDestination(tx, accountId, id);
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

/** Deletes a destination. Throws `conflict` while an action uses it. */
export const deleteDestination = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      const { name } = await lockDestination(tx, accountId, id);
      await requireUnused(tx, accountId, id, "Choose another one there first.");
      await removeDestination(tx, id);
      const targets = [{ type: "destination", id, name }];
      await audit(context, { event: "destination.deleted", targets }, tx);
    });
  },
});

/** Throws `invalid_request` if the credential doesn't exist or is for another origin. */
async function requireCredential(
  tx: Transaction,
  accountId: string,
  { credentialId, origin }: Pick<DestinationInput, "credentialId" | "origin">,
): Promise<void> {
  if (credentialId === null) return;
  const found = await holdCredential(tx, accountId, credentialId);
  if (found === null)
    throw invalidField("credentialId", "there is no credential with this id", "not_found");
  if (found.origin !== origin)
    throw invalidField(
      "credentialId",
      `is for ${found.origin}, and the destination is ${origin}`,
      "conflict",
    );
}

/** Throws `conflict` if an action uses the destination. The error ends with `advice`. */
async function requireUnused(
  tx: Transaction,
  accountId: string,
  id: string,
  advice: string,
): Promise<void> {
  const uses = await listUses(tx, accountId, "destination", id);
  if (uses.length === 0) return;
  const names = nameUses(
    "action",
    uses.map(({ name }) => name),
  );
  throw new AppError("conflict", `This destination is used by ${names}. ${advice}`);
}
