import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { chooseAccount, type SessionPerson } from "#lib/db/accounts/sessions.ts";
import { reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import { insertUser } from "#lib/db/accounts/users.ts";
import {
  consumeInvitation,
  deleteInvitation,
  findInvitation,
  getInvitation,
  hasInvitation,
  type InvitationRecord,
  insertInvitation,
  markMailed,
  type NewInvitation,
  type OpenInvitation,
  renewInvitation,
} from "#lib/db/members/invitations.ts";
import { addMembership, countPeople, hasMember } from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { verifyEmail } from "#lib/db/sign-in/email-changes.ts";
import { type MailResult, sendMail } from "#lib/net/mail/send-mail.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import {
  invitationDays,
  invitationSchema,
  maxPeople,
  type newPersonSchema,
} from "#lib/schema/account/member.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { byId } from "#lib/schema/field/common.ts";
import { commonPasswordError, hashNewPassword } from "#lib/services/account/passwords.ts";
import { nameActor, type UserActor } from "#lib/services/frame/actor.ts";
import { type AuditContext, audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { requireRank } from "./members.ts";

export { findInvitation } from "#lib/db/members/invitations.ts";

/**
 * An invitation, and its link unless that was sent by email: with the link, anyone who invites could be the invited
 * person. It can't be read again later. `off`: no mail server is configured.
 */
export type SentInvitation = { readonly invitation: InvitationRecord } & (
  | { readonly url: null; readonly email: { readonly state: "sent" } }
  | { readonly url: string; readonly email: { readonly state: "off" } }
  | { readonly url: string; readonly email: { readonly state: "failed"; message: string } }
);

/**
 * Invites a person by email address. They join with the link, which works once. Throws `rate_limited`
 * if they got too many emails.
 */
export const inviteMember = service({
  permission: "members:write",
  input: invitationSchema,
  run: async (context, { email, role }): Promise<SentInvitation> => {
    const { db, actor } = context;
    requireRank(actor, role);
    await reserveMail(context, email);
    const userId = "userId" in actor ? actor.userId : null;
    const made = await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      await requireNewPerson(tx, actor.accountId, email);
      const invited = await insertInvitation(tx, actor.accountId, { email, role, userId });
      const entry = { event: "invitation.created", targets: [toTarget(invited.invitation)] };
      await audit(context, { ...entry, before: {}, after: { role } }, tx);
      return invited;
    });
    return await send(context, made);
  },
});

/**
 * Sends an invitation again, with a new link and 7 more days. The earlier link stops working. Throws
 * `rate_limited` if the person got too many emails.
 */
export const resendInvitation = service({
  permission: "members:write",
  input: byId,
  run: async (context, { id }): Promise<SentInvitation> => {
    const { db, actor } = context;
    const { email, role } = await getInvitation(db, actor.accountId, id);
    requireRank(actor, role);
    await reserveMail(context, email);
    const made = await db.$transaction(async (tx) => {
      const renewed = await renewInvitation(tx, actor.accountId, id);
      const entry = { event: "invitation.resent", targets: [toTarget(renewed.invitation)] };
      await audit(context, entry, tx);
      return renewed;
    });
    return await send(context, made);
  },
});

/** Revokes an invitation: its link stops working at once. */
export const revokeInvitation = service({
  permission: "members:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const invitation = await getInvitation(tx, actor.accountId, id);
      requireRank(actor, invitation.role);
      await deleteInvitation(tx, invitation.id);
      await audit(context, { event: "invitation.revoked", targets: [toTarget(invitation)] }, tx);
    });
  },
});

/**
 * An account's emails to one address have the pauses of wrong passwords, which begin with the sixth and
 * double up to 15 minutes. Without a mail server, nothing is sent.
 */
async function reserveMail({ db, env, actor }: ServiceContext, email: string): Promise<void> {
  if (env.mail === undefined) return;
  const attempt = {
    email: `invitation ${actor.accountId} ${email}`,
    address: null,
    isSecret: true,
  };
  const permit = await reserveSignInAttempt(db, attempt);
  if (permit.ok) return;
  const { retryAfterSeconds } = permit;
  throw new AppError("rate_limited", describeThrottled(retryAfterSeconds, `emails to ${email}`), {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}

/** Throws `conflict` if the person is a member or invited already, or there is no room. */
async function requireNewPerson(tx: Transaction, accountId: string, email: string): Promise<void> {
  if (await hasMember(tx, accountId, email)) throw taken("is a member already");
  if (await hasInvitation(tx, accountId, email))
    throw taken("is invited already. Resend that invitation, or revoke it");
  if ((await countPeople(tx, accountId)) >= maxPeople)
    throw new AppError("conflict", `An account has at most 1,000 members and invitations.`);
}

function taken(message: string): AppError {
  const errors = [{ path: "email", code: "conflict", message } as const];
  return new AppError("conflict", checkFields, { errors });
}

function toTarget({ id, email }: InvitationRecord) {
  return { type: "invitation", id, name: email };
}

/** The invitation exists even if its email can't be sent: the inviter can pass the link on. */
async function send(context: ServiceContext, made: NewInvitation): Promise<SentInvitation> {
  const { invitation, token } = made;
  const url = `${context.env.publicUrl}/invitations/${token}`;
  if (context.env.mail === undefined) return { invitation, url, email: { state: "off" } };
  const sent = await sendInvitation(context, { invitation, url });
  if (sent.ok) {
    await markMailed(context.db, context.actor.accountId, made);
    return { invitation, url: null, email: { state: "sent" } };
  }
  return { invitation, url, email: { state: "failed", message: sent.message } };
}

async function sendInvitation(
  { db, env, actor }: ServiceContext,
  { invitation, url }: { readonly invitation: InvitationRecord; readonly url: string },
): Promise<MailResult> {
  if (env.mail === undefined) throw new Error("No mail server is configured");
  const { name: account } = await getAccount(db, actor.accountId);
  const inviter = invitation.invitedBy ?? nameActor(actor);
  return await sendMail(env.mail, {
    to: invitation.email,
    subject: `${inviter} invites you to ${account} on Catchment`,
    content: {
      title: `Join ${account} on Catchment`,
      paragraphs: [`${inviter} invites you to join ${account} as ${withArticle(invitation.role)}.`],
      link: { label: "Accept the invitation", url },
      footnote:
        `The link works once, for ${invitationDays} days, and only for ${invitation.email}. ` +
        "If you didn't expect it, you can ignore this message.",
    },
  });
}

function withArticle(role: string): string {
  return /^[ao]/.test(role) ? `an ${role}` : `a ${role}`;
}

/** There is no actor yet: the token of the link authorizes, and then the person acts. */
type Parts = Omit<AuditContext, "actor">;

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
