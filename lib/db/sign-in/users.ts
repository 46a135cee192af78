import type { UserCredentials } from "#lib/db/accounts/users.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/** A user with the password that a session depends on. */
export async function findUserById(
  db: Database,
  userId: string,
): Promise<(UserCredentials & { readonly email: string; readonly name: string }) | null> {
  const user = await db.user.findUnique({ where: { id: userId } });
  if (user === null) return null;
  return { userId, passwordHash: user.passwordHash, email: user.email, name: user.name };
}
