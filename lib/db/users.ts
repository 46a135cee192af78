import type { Database } from "./client.ts";

export type UserCredentials = { readonly userId: string; readonly passwordHash: string };

/** `email` in its normal form. */
export async function findUserCredentials(db: Database, email: string): Promise<UserCredentials | null> {
  const user = await db.user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
  return user === null ? null : { userId: user.id, passwordHash: user.passwordHash };
}

export async function renameUser(db: Database, userId: string, name: string): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { name } });
}

/** `email` in its normal form. False when another user has it. */
export async function changeEmail(db: Database, userId: string, email: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    update users set email = ${email}
    where id = ${userId}::uuid and not exists (select 1 from users where email = ${email} and id <> ${userId}::uuid)`;
  return changed > 0;
}

/** Replaces the password and ends every session of this user. False when it has been changed since `user` was read. */
export async function changePassword(
  db: Database,
  user: UserCredentials,
  passwordHash: string,
): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.userId, passwordHash: user.passwordHash },
      data: { passwordHash },
    });
    // A statement of its own: it sees what a sign-in wrote that held the row until now.
    if (count > 0) await tx.session.deleteMany({ where: { userId: user.userId } });
    return count > 0;
  });
}
