import { requireUsable } from "#lib/core/sending/credential/check-credential.ts";
import {
  describeCredential,
  sealCredential,
} from "#lib/core/sending/credential/seal-credential.ts";
import {
  type CredentialRecord,
  changeCredential,
  getCredential,
  lockCredential,
  touchUsers,
} from "#lib/db/credentials/credentials.ts";
import { credentialPatchSchema } from "#lib/schema/act/credential.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Changes a credential. A new secret takes effect with the next call, on every worker. */
export const updateCredential = service({
  permission: "credentials:write",
  input: credentialPatchSchema.extend({ id: recordId }),
  run: async (context, { id, name, auth }): Promise<CredentialRecord> => {
    const { db, sealer, env } = context;
    const { accountId } = context.actor;
    return await db.$transaction(async (tx) => {
      const origin = await lockCredential(tx, accountId, id);
      const before = await getCredential(tx, accountId, id);
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
      const after = await getCredential(tx, accountId, id);
      const targets = [{ type: "credential", id, name: after.name }];
      const secret = auth === undefined ? {} : { secret: "changed" };
      const states = { before, after: { ...after, ...secret } };
      await audit(context, { event: "credential.updated", targets, ...states }, tx);
      return after;
    });
  },
});
