import { AppError } from "#lib/base/errors.ts";
import { listUses, nameUses } from "#lib/db/destinations/name-uses.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";

/** Throws `conflict` if an action uses the destination. The error ends with `advice`. */
export async function requireUnused(
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
