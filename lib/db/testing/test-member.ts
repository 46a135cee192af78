import { newId } from "#lib/base/ids.ts";
import { insertInvitation } from "#lib/db/members/invitations.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Role } from "#lib/schema/account/role.ts";

/** A new person who is a member of the account. They can't sign in. Returns their user id. */
export async function addMember(db: Database, accountId: string, role: Role): Promise<string> {
  const id = newId();
  await db.user.create({
    data: { id, email: `${id}@example.com`, name: role, passwordHash: "none" },
  });
  await db.membership.create({ data: { accountId, userId: id, role } });
  return id;
}

/** An open invitation to the account. Returns its id. */
export async function addInvitation(db: Database, accountId: string): Promise<string> {
  const invited = {
    email: `${newId()}@example.com`,
    role: "viewer",
    userId: null,
  } as const;
  const { invitation } = await db.$transaction((tx) => insertInvitation(tx, accountId, invited));
  return invitation.id;
}
