import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import {
  confirmRecipientChannel,
  deleteRecipientChannel,
  findLinkedChannel,
  listRecipientChannels,
  putRecipientChannel,
  type RecipientChannel,
} from "#lib/db/alerts/recipient-channels.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { findPortalName } from "#lib/db/recipients/portal-links.ts";
import { sendMail } from "#lib/net/mail/send-mail.ts";
import { emailLinkHours } from "#lib/schema/account/account.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { type Actor, recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { notIncluded } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

const maxEmails = 10;
const linkMs = emailLinkHours * 3_600_000;

/** Who is told by email when a receiver of the portal's recipient fails. */
export const listRecipientEmails = service({
  permission: "subscriptions:read",
  input: noFields,
  portalInput: noFields,
  run: async ({ db, env, actor }) => {
    const channels = await listRecipientChannels(db, requireRecipient(actor));
    return {
      /** The operator has set up a mail server. */
      sendsEmail: env.mail !== undefined,
      emails: channels.map(({ id, email, confirmedAt }) => ({
        id,
        email,
        isConfirmed: confirmedAt !== null,
      })),
    };
  },
});

const newEmail = z.strictObject({ email: emailSchema });

/**
 * Sends a link to a mailbox. It is told of failures once someone opens the link, and gets nothing else
 * before: anyone with the portal may name any address.
 */
export const addRecipientEmail = service({
  permission: "subscriptions:write",
  input: newEmail,
  portalInput: newEmail,
  run: async (context, { email }): Promise<void> => {
    const { db, env } = context;
    const of = requireRecipient(context.actor);
    if (env.mail === undefined)
      throw emailField("can't be confirmed, because this server sends no email");
    await reserveMails(context, of, email);
    const { token, portalName } = await db.$transaction(async (tx) => {
      const known = await listRecipientChannels(tx, of);
      if (known.length >= maxEmails && !known.some((one) => one.email === email))
        throw new AppError(
          "conflict",
          `A portal has at most ${maxEmails} emails. Remove one first.`,
        );
      const made = await putRecipientChannel(tx, of, email);
      if (made === null) throw emailField("is told already");
      await audit(context, { event: "recipient_email.added", targets: targetsOf(of, email) }, tx);
      return { token: made, portalName: await findPortalName(tx, of.accountId) };
    });
    const url = `${env.publicUrl}/portal/emails/${token}`;
    const sent = await sendMail(env.mail, writeLinkMail(email, portalName, url));
    if (sent.ok) return;
    log.error("recipient_email.not_sent", { error: sent.message });
    throw emailField("didn't get the message. Check it and try again");
  },
});

/** Ends the emails to an address, or takes back its link. Throws `not_found`. */
export const removeRecipientEmail = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<void> => {
    const of = requireRecipient(context.actor);
    await context.db.$transaction(async (tx) => await remove(context, { ...of, id }, tx));
  },
});

type Link = Pick<RecipientChannel, "email"> & {
  readonly portalName: string;
  readonly isConfirmed: boolean;
};

/** The purpose of a link in an email. Null: it has ended, or its address was removed. */
export async function readEmailLink({ db }: ServiceParts, token: string): Promise<Link | null> {
  const channel = await findLinkedChannel(db, token);
  if (channel === null || hasEnded(channel)) return null;
  const { email, portalName, confirmedAt } = channel;
  return { email, portalName, isConfirmed: confirmedAt !== null };
}

/** Says that a mailbox wants the emails. The token of its link is the credential. */
export async function confirmRecipientEmail(parts: ServiceParts, token: string): Promise<void> {
  const { channel, context } = await requireLink(parts, token);
  await parts.db.$transaction(async (tx) => {
    if (!(await confirmRecipientChannel(tx, channel))) return;
    const targets = targetsOf(channel, channel.email);
    await audit(context, { event: "recipient_email.confirmed", targets }, tx);
  });
}

/** Ends the emails to the mailbox of a link. */
export async function endRecipientEmail(parts: ServiceParts, token: string): Promise<void> {
  const { channel, context } = await requireLink(parts, token);
  await parts.db.$transaction(async (tx) => await remove(context, channel, tx));
}

async function requireLink(parts: ServiceParts, token: string) {
  const channel = await findLinkedChannel(parts.db, token);
  if (channel === null || hasEnded(channel))
    throw new AppError("not_found", "This link no longer works. Ask for a new one in the portal.");
  const { accountId, email } = channel;
  const actor: Actor = { type: "system", accountId, name: email };
  return { channel, context: { ...parts, actor, now: () => new Date() } };
}

/** A link that wasn't opened in time confirms nothing. One that was opened ends the emails forever. */
function hasEnded({ confirmedAt, createdAt }: RecipientChannel): boolean {
  return confirmedAt === null && createdAt.getTime() + linkMs < Date.now();
}

async function remove(
  context: ServiceContext,
  of: Of & Pick<RecipientChannel, "id">,
  tx: Transaction,
): Promise<void> {
  const removed = await deleteRecipientChannel(tx, of);
  if (removed === null) throw new AppError("not_found", "This email was removed already.");
  const targets = targetsOf(of, removed.email);
  await audit(context, { event: "recipient_email.removed", targets }, tx);
}

type Of = Pick<RecipientChannel, "accountId" | "recipient">;

/** Only a portal has a recipient of its own. */
function requireRecipient(actor: Actor): Of {
  const { recipient } = recipientScope(actor);
  if (recipient === undefined) throw notIncluded();
  return { accountId: actor.accountId, recipient };
}

function targetsOf({ recipient }: Of, email: string) {
  return [{ type: "recipient", id: recipient, name: `${recipient}: ${email}` }];
}

/** A mailbox gets few links in all, and the people of a recipient send few. */
async function reserveMails({ db }: ServiceContext, of: Of, email: string): Promise<void> {
  for (const key of [`portal email ${email}`, `portal email of ${of.accountId} ${of.recipient}`]) {
    const permit = await reserveSignInAttempt(db, { email: key, address: null, isSecret: true });
    if (permit.ok) continue;
    const { retryAfterSeconds } = permit;
    throw new AppError("rate_limited", describeThrottled(retryAfterSeconds, "messages"), {
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
}

function emailField(message: string): AppError {
  const errors = [{ path: "email", code: "conflict", message } as const];
  return new AppError("conflict", checkFields, { errors });
}

function writeLinkMail(to: string, portalName: string, url: string) {
  return {
    to,
    subject: `[${portalName}] Confirm these emails`,
    content: {
      title: "Confirm these emails",
      paragraphs: [
        `Someone with the portal of ${portalName} wants to tell ${to} when your endpoint fails.`,
        `You get one email when it fails, and one when it works again. The link works for ${emailLinkHours} hours.`,
      ],
      link: { label: "Confirm", url },
      footnote: "If you don't want this, ignore this message. Nothing is sent without the link.",
    },
  };
}
