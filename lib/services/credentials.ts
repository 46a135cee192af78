import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  requireCallableOrigin,
  requireUsable,
} from "#lib/core/sending/credential/check-credential.ts";
import {
  describeCredential,
  sealCredential,
} from "#lib/core/sending/credential/seal-credential.ts";
import {
  type CredentialRecord,
  changeCredential,
  countCredentials,
  getCredential as findCredential,
  listCredentials as findCredentials,
  insertCredential,
  lockCredential,
  lockCredentialToDelete,
  removeCredential,
  touchUsers,
} from "#lib/db/credentials/credentials.ts";
import {
  listDestinationsOf,
  listSubscriptionsOf,
  listUses,
  nameUses,
} from "#lib/db/destinations/name-uses.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { credentialInputSchema, credentialPatchSchema } from "#lib/schema/act/credential.ts";
import { byId, pageFields, recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { CredentialRecord } from "#lib/db/credentials/credentials.ts";

/** Returns a credential of the account, without its secret. Throws `not_found`. */
export const getCredential = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findCredential(db, actor.accountId, id),
});

/** The account's credentials, newest first. */
export const listCredentials = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findCredentials(db, actor.accountId, page),
});

const maxCredentials = 1_000;

/** Saves a credential. Throws `invalid_request` for one that could never be used. */
export const createCredential = service({
  permission: "credentials:write",
  input: credentialInputSchema,
  run: async (context, { name, origin, auth }): Promise<CredentialRecord> => {
    const { db, sealer, env } = context;
    const { accountId } = context.actor;
    requireCallableOrigin(origin, env.egressAllow);
    requireUsable(auth, origin, env.egressAllow);
    if ((await countCredentials(db, accountId)) >= maxCredentials)
      throw new AppError("conflict", `An account has at most ${maxCredentials} credentials.`);
    const owner = { id: newId(), accountId };
    const sealed = {
      kind: auth.type,
      settings: describeCredential(auth),
      ciphertext: sealCredential(sealer, owner, auth),
    };
    return await db.$transaction(async (tx) => {
      await insertCredential(tx, { ...owner, name, origin, ...sealed });
      const targets = [{ type: "credential", id: owner.id, name }];
      await audit(context, { event: "credential.created", targets }, tx);
      return await findCredential(tx, accountId, owner.id);
    });
  },
});

/** Changes a credential. A new secret takes effect with the next call, on every worker. */
export const updateCredential = service({
  permission: "credentials:write",
  input: credentialPatchSchema.extend({ id: recordId }),
  run: async (context, { id, name, auth }): Promise<CredentialRecord> => {
    const { db, sealer, env } = context;
    const { accountId } = context.actor;
    return await db.$transaction(async (tx) => {
      const origin = await lockCredential(tx, accountId, id);
      const before = await findCredential(tx, accountId, id);
      if (name !== undefined) await changeCredential(tx, id, { name });
      if (auth !== undefined) {
        requireUsable(auth, origin, env.egressAllow);
        await changeCredential(tx, id, {
          kind: auth.type,
          settings: describeCredential(auth),
          ciphertext: sealCredential(sealer, { id, accountId }, auth),
        });
        await touchUsers(tx, accountId, id);
      }
      const after = await findCredential(tx, accountId, id);
      const targets = [{ type: "credential", id, name: after.name }];
      const secret = auth === undefined ? {} : { secret: "changed" };
      const states = { before, after: { ...after, ...secret } };
      await audit(context, { event: "credential.updated", targets, ...states }, tx);
      return after;
    });
  },
});

/** Deletes a credential. Throws `conflict` while something uses it. */
export const deleteCredential = service({
  permission: "credentials:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      await lockCredentialToDelete(tx, accountId, id);
      const { name } = await findCredential(tx, accountId, id);
      await requireUnused(tx, accountId, id);
      await removeCredential(tx, id);
      const targets = [{ type: "credential", id, name }];
      await audit(context, { event: "credential.deleted", targets }, tx);
    });
  },
});

async function requireUnused(tx: Transaction, accountId: string, id: string): Promise<void> {
  const users = [
    { what: "action", users: await listUses(tx, accountId, "credential", id) },
    { what: "destination", users: await listDestinationsOf(tx, accountId, id) },
    { what: "subscription", users: await listSubscriptionsOf(tx, accountId, id) },
  ].filter((each) => each.users.length > 0);
  if (users.length === 0) return;
  const named = users.map((each) =>
    nameUses(
      each.what,
      each.users.map(({ name }) => name),
    ),
  );
  const detail = `This credential is used by ${named.join(" and by ")}. Choose another one there first.`;
  throw new AppError("conflict", detail);
}
