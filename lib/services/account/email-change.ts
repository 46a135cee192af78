import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import {
  consumeEmailChange,
  deleteEmailChange,
  findEmailChange,
  findLinkedEmail as findLinked,
  isEmailVerified,
  putEmailChange,
} from "#lib/db/sign-in/email-changes.ts";
import { sendMail } from "#lib/net/mail/send-mail.ts";
import { emailLinkHours } from "#lib/schema/account/account.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { noFields } from "#lib/schema/field/common.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { auditPerson, requireUser } from "./person.ts";

/**
 * Sends a link to the mailbox of an email. The user has the email once they open the link, and not before: anyone who
 * may name any address as theirs could be taken for its owner. Throws `conflict` if someone else has it, or if no
 * message can be sent.
 */
export async function startEmailChange(
  context: ServiceContext,
  user: UserActor,
  email: string,
): Promise<void> {
  const { db, env } = context;
  const { userId } = user;
  if (env.mail === undefined) throw cannotSend(user.email, email);
  await reserveMails(db, userId, email);
  const token = await db.$transaction(async (tx) => {
    const made = await putEmailChange(tx, userId, email);
    if (made === null) throw emailField("is already in use");
    const states = { before: { email: user.email }, after: { email } };
    await auditPerson(context, user, { event: "user.email.requested", ...states }, tx);
    return made;
  });
  const sent = await sendMail(env.mail, writeLinkMail(user.email, email, env.publicUrl, token));
  if (sent.ok) return;
  await db.$transaction((tx) => deleteEmailChange(tx, userId));
  log.error("email_change.not_sent", { error: sent.message });
  throw emailField(
    "didn't get the message. Check it, or ask who runs this server to check its log",
  );
}

/** Sends the link again, with another day. Without a change in progress, it confirms the email of the user. */
export const sendEmailLink = service({
  permission: "profile:write",
  input: noFields,
  run: async (context): Promise<{ readonly email: string }> => {
    const user = requireUser(context.actor);
    const change = await findEmailChange(context.db, user.userId);
    const email = change?.email ?? user.email;
    if (change === null && (await isEmailVerified(context.db, user.userId)))
      throw new AppError("conflict", `${email} is confirmed already.`);
    await startEmailChange(context, user, email);
    return { email };
  },
});

/** The state of the signed-in person's email. */
export const readEmailState = service({
  permission: "profile:write",
  input: noFields,
  run: async ({ db, env, actor }) => {
    const { userId } = requireUser(actor);
    const [change, isVerified] = await Promise.all([
      findEmailChange(db, userId),
      isEmailVerified(db, userId),
    ]);
    return {
      /** The email that they are changing to, or confirming. */
      change,
      isVerified,
      sendsEmail: env.mail !== undefined,
    };
  },
});

/** The email that a link confirms for the signed-in person. Null: it doesn't work for them. */
export const findLinkedEmail = service({
  permission: "profile:write",
  input: z.strictObject({ token: z.string() }),
  run: ({ db, actor }, { token }) => findLinked(db, requireUser(actor).userId, token),
});

/** The user keeps their email. The link that was sent stops working. */
export const cancelEmailChange = service({
  permission: "profile:write",
  input: noFields,
  run: async (context): Promise<void> => {
    const user = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      if (!(await deleteEmailChange(tx, user.userId))) return;
      await auditPerson(context, user, { event: "user.email.canceled" }, tx);
    });
  },
});

/**
 * Gives the user the email whose mailbox had the link. Only they can use it, signed in: no one gets an email that they
 * didn't ask for by opening a message.
 */
export const confirmEmail = service({
  permission: "profile:write",
  input: z.strictObject({ token: z.string() }),
  run: async (context, { token }): Promise<{ readonly email: string }> => {
    const user = requireUser(context.actor);
    const { userId } = user;
    const email = await context.db.$transaction(async (tx) => {
      const changed = await consumeEmailChange(tx, user, token);
      if (changed === null)
        throw new AppError(
          "not_found",
          "This link no longer works. Send a new one from your profile.",
        );
      if (changed === "in_use")
        throw new AppError("conflict", "Someone else here has this email now. Choose another one.");
      const { before, after } = changed;
      const isSame = before === after;
      const states = { before: { email: before }, after: { email: after } };
      const entry = isSame
        ? { event: "user.email.confirmed" }
        : { event: "user.email.changed", ...states };
      await auditPerson(context, { userId, email: after }, entry, tx);
      return after;
    });
    log.info("email.confirmed", { userId });
    return { email };
  },
});

/** A mailbox gets few messages, anyone who asks, and a person sends few. The pauses are those of wrong passwords. */
async function reserveMails(db: Database, userId: string, email: string): Promise<void> {
  for (const key of [`new email ${email}`, `new email of ${userId}`]) {
    const permit = await reserveSignInAttempt(db, { email: key, address: null, isSecret: true });
    if (permit.ok) continue;
    const { retryAfterSeconds } = permit;
    throw new AppError("rate_limited", describeThrottled(retryAfterSeconds, "messages"), {
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
}

function cannotSend(before: string, email: string): AppError {
  const command = before === email ? `confirm-email ${email}` : `change-email ${before} ${email}`;
  return emailField(
    "can't be confirmed, because this server sends no email. Ask who runs it to call: " +
      `npm run server -- ${command}`,
  );
}

function emailField(message: string): AppError {
  const errors = [{ path: "email", code: "conflict", message } as const];
  return new AppError("conflict", checkFields, { errors });
}

function writeLinkMail(before: string, email: string, publicUrl: string, token: string) {
  const { host } = new URL(publicUrl);
  const isSame = before === email;
  return {
    to: email,
    subject: "Confirm your email for Catchment",
    content: {
      title: "Confirm your email",
      paragraphs: [
        isSame
          ? `${email} signs in at ${host}. Confirm that this mailbox is yours.`
          : `${before} wants to sign in at ${host} as ${email} from now on.`,
        `The link works once, for ${emailLinkHours} hours, in a browser where you are signed in as ${before}.`,
      ],
      link: { label: "Confirm this email", url: `${publicUrl}/confirm-email?token=${token}` },
      footnote:
        "If you didn't ask for this, ignore this message. Nothing changes without the link.",
    },
  };
}
