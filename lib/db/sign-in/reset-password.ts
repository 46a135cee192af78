import { endAccess } from "#lib/db/accounts/users.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { deleteTotpSecret } from "./totp-secrets.ts";

/**
 * Sets a user's password without asking for the current one and ends all of their sessions. For the
 * operator of the machine. Expects a normalized `email`. Returns the user's id, or null if there is
 * no such user.
 */
export async function resetPassword(
  tx: Transaction,
  email: string,
  passwordHash: string,
): Promise<string | null> {
  const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) return null;
  await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
  // The way back in if the identity provider is down, or has rejected everyone.
  await tx.$executeRaw`
    update users set password_allowed_until = now() + interval '1 hour' where id = ${user.id}::uuid`;
  await deleteTotpSecret(tx, user.id);
  await tx.identity.updateMany({ where: { userId: user.id }, data: { rejectedAt: null } });
  await endAccess(tx, user.id);
  return user.id;
}
