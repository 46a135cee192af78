import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { chooseAccount, type SessionPerson } from "#lib/db/accounts/sessions.ts";
import { insertUser } from "#lib/db/accounts/users.ts";
import {
  consumeInvitation,
  findInvitation,
  type OpenInvitation,
} from "#lib/db/members/invitations.ts";
import { addMembership } from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { verifyEmail } from "#lib/db/sign-in/email-changes.ts";
import type { newPersonSchema } from "#lib/schema/account/member.ts";
import { commonPasswordError, hashNewPassword } from "#lib/services/account/new-password.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { type AuditContext, audit } from "#lib/services/frame/audit.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** There is no actor yet: the token of the link authorizes, and then the person acts. */
type Parts = Omit<AuditContext, "actor">;

/** The invitation of a link. Null: it is unknown, used, revoked, or expired. */
export async function readInvitation(
  { db }: Pick<Parts, "db">,
  token: string,
): Promise<OpenInvitation | null> {
  return await findInvitation(db, token);
}

/**
 * Creates the person and their membership, and uses up the invitation, in one transaction. Throws
 * `not_found` for a link that no longer works, and `conflict` if the person exists: they sign in. So
 * does everyone where passwords are off: `forbidden`.
 */
export async function acceptAsNewPerson(
  parts: Parts & Pick<ServiceParts, "env">,
  token: string,
  { name, password }: z.output<typeof newPersonSchema>,
): Promise<{ readonly email: string }> {
  const { oidc } = parts.env;
  if (oidc?.isOnly === true)
    throw new AppError("forbidden", `Sign in with ${oidc.name} to join: passwords are off here.`);
  // The cheap checks come first, so that an attacker can't make us hash passwords.
  const invitation = await requireOpen(parts, token);
  if (invitation.userId !== null) throw mustSignIn(invitation.email);
  const passwordHash = await hashNewPassword(password);
  if (passwordHash === null) throw commonPasswordError("password");
  const { email, isMailed } = invitation;
  await parts.db.$transaction(async (tx) => {
    const userId = await insertUser(tx, { email, name, passwordHash, isEmailVerified: isMailed });
    if (userId === null) throw mustSignIn(email);
    await join(parts, { tx, token, invitation, person: { userId, email, sessionId: "" } });
  });
  return { email };
}

/** A signed-in person joins the account, and their session shows it. */
export async function acceptAsPerson(
  parts: Parts,
  token: string,
  person: SessionPerson,
): Promise<void> {
  const invitation = await requireOpen(parts, token);
  if (person.email !== invitation.email)
    throw new AppError("forbidden", `This invitation is for ${invitation.email}. Sign in as them.`);
  await parts.db.$transaction(async (tx) => {
    await join(parts, { tx, token, invitation, person });
    if (invitation.isMailed) await verifyEmail(tx, person.userId);
    await chooseAccount(tx, person, invitation.accountId);
  });
}

type Joining = {
  readonly tx: Transaction;
  readonly token: string;
  readonly invitation: OpenInvitation;
  readonly person: Pick<SessionPerson, "userId" | "sessionId" | "email">;
};

async function join(parts: Parts, { tx, token, invitation, person }: Joining): Promise<void> {
  if (!(await consumeInvitation(tx, token))) throw linkInvalid();
  const { accountId, role } = invitation;
  const { userId, email } = person;
  if (!(await addMembership(tx, { accountId, userId, role }))) return;
  const actor: UserActor = {
    ...{ type: "user", accountId, role, maskedFields: [] },
    ...person,
  };
  const targets = [{ type: "user", id: userId, name: email }];
  const entry = { event: "member.joined", targets, before: {}, after: { role } };
  await audit({ ...parts, actor }, entry, tx);
}

async function requireOpen(parts: Parts, token: string): Promise<OpenInvitation> {
  const invitation = await findInvitation(parts.db, token);
  if (invitation === null) throw linkInvalid();
  return invitation;
}

function linkInvalid(): AppError {
  return new AppError("not_found", "This invitation no longer works. Ask for a new one.");
}

function mustSignIn(email: string): AppError {
  return new AppError("conflict", `${email} has signed up already. Sign in to join.`);
}
