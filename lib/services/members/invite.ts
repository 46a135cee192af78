import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import {
  deleteInvitation,
  getInvitation,
  hasInvitation,
  type InvitationRecord,
  insertInvitation,
  markMailed,
  type NewInvitation,
  renewInvitation,
} from "#lib/db/members/invitations.ts";
import { countPeople, hasMember } from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import type { MailResult } from "#lib/net/mail/send-mail.ts";
import { sendMail } from "#lib/net/mail/send-mail.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import { invitationDays, invitationSchema, maxPeople } from "#lib/schema/account/member.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireRank } from "./require-rank.ts";

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
  input: z.strictObject({ id: recordId }),
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
  input: z.strictObject({ id: recordId }),
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
