import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  getCredential,
  lockCredentialToDelete,
  removeCredential,
} from "#lib/db/credentials/credentials.ts";
import { listDestinationsOf, listUses, nameUses } from "#lib/db/destinations/name-uses.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Deletes a credential. Throws `conflict` while something uses it. */
export const deleteCredential = service({
  permission: "credentials:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      await lockCredentialToDelete(tx, accountId, id);
      const { name } = await getCredential(tx, accountId, id);
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
