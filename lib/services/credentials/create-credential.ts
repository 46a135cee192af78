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
  countCredentials,
  getCredential,
  insertCredential,
} from "#lib/db/credentials/credentials.ts";
import { credentialInputSchema } from "#lib/schema/act/credential.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

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
      return await getCredential(tx, accountId, owner.id);
    });
  },
});
