import type { Env } from "#lib/core/env/parse-env.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { StartError } from "#server/system/start-error.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { findPreviousKey, findSecretKey } from "./secret-key-of.ts";

/** The operator of the machine, in the audit log of one account. */
export function commandActor(accountId: string) {
  return { type: "system", accountId, name: "Command line" } as const;
}

/** Opens what is sealed in the database, also during a rotation of the key. */
export function requireSealer(env: Env, access: Pick<DatabaseAccess, "folder">): Sealer {
  const secretKey = findSecretKey(env, access);
  if (secretKey === null)
    throw new StartError("The secret key is needed for this: set CATCHMENT_SECRET_KEY.");
  return openSealer(secretKey, findPreviousKey(env, access) ?? undefined);
}

/** Records what was done to the whole installation in the audit log of every account. */
export async function auditCommand(url: string, sealer: Sealer, event: string): Promise<void> {
  const db = createDatabase({ url, poolSize: 1, applicationName: "catchment audit" });
  try {
    const accounts = await db.account.findMany({ select: { id: true }, orderBy: { id: "asc" } });
    const targets = [{ type: "installation", id: "catchment" }];
    for (const { id } of accounts) {
      const actor = commandActor(id);
      await auditWithoutChange({ db, sealer, actor, now: () => new Date() }, { event, targets });
    }
  } finally {
    await db.$disconnect();
  }
}
