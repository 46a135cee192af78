import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { readActiveSecrets } from "./evaluation-hook.ts";
import { openSecrets } from "./hook-secrets.ts";

/**
 * The secret that a provider would use now: the newest active one, in plain text. Null if there is
 * none that can be opened. Only for signing, never to be shown.
 */
export async function openHookSecret(
  db: SqlStatements,
  accountId: string,
  hookId: string,
  sealer: Sealer,
): Promise<string | null> {
  const secrets = await readActiveSecrets(db, { id: hookId, accountId });
  return openSecrets(accountId, secrets, sealer)[0] ?? null;
}
