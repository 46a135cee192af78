import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import {
  consumePasswordReset,
  createPasswordReset,
  isPasswordResetOpen,
} from "#lib/db/sign-in/password-resets.ts";
import { sendMail } from "#lib/net/mail/send-mail.ts";
import { hashNewPassword } from "#lib/services/account/passwords.ts";
import { auditPerson } from "#lib/services/account/person.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

export { isPasswordResetOpen };

type ResetRequest =
  | {
      readonly ok: true;
      /** Finds the user and sends the message. To be called once the response is sent. */
      readonly send: () => Promise<void>;
    }
  | { readonly ok: false; readonly code: "not_configured" }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

type Parts = Pick<ServiceParts, "db" | "env">;

/**
 * Prepares a link that resets a password. Nothing before `send` depends on whether a user has the
 * email, so neither the response nor its time tells. Every request counts for its email and its
 * address, with the pauses of wrong passwords, but apart from those.
 */
export async function requestPasswordReset(
  { db, env }: Parts,
  email: string,
  address: string | null,
): Promise<ResetRequest> {
  const { mail, publicUrl, oidc } = env;
  if (mail === undefined || oidc?.isOnly === true) return { ok: false, code: "not_configured" };
  const attempt = {
    email: `reset ${email}`,
    address: address === null ? null : `reset ${address}`,
  };
  const permit = await reserveSignInAttempt(db, attempt);
  if (!permit.ok) {
    logCounted("warn", "password_reset.throttled", { address });
    return { ok: false, code: "throttled", retryAfterSeconds: permit.retryAfterSeconds };
  }
  const send = async () => {
    const token = await createPasswordReset(db, email);
    if (token === null) {
      logCounted("info", "password_reset.unknown_user", { address });
      return;
    }
    const sent = await sendMail(mail, writeResetMail(email, publicUrl, token));
    if (sent.ok) log.info("password_reset.sent", { address });
    else log.error("password_reset.not_sent", { error: sent.message });
  };
  return { ok: true, send };
}

function writeResetMail(email: string, publicUrl: string, token: string) {
  return {
    to: email,
    subject: "Reset your Catchment password",
    content: {
      title: "Reset your password",
      paragraphs: [
        `Someone asked for a new password for ${email} at ${new URL(publicUrl).host}.`,
        "The link works once, for an hour. A new password signs you out everywhere.",
      ],
      link: { label: "Choose a new password", url: `${publicUrl}/sign-in/reset?token=${token}` },
      footnote:
        "If it wasn't you, ignore this message. Your password stays the same, and no one else got the link.",
    },
  };
}

type ResetResult = "reset" | "link_invalid" | "password_common";

/**
 * Sets a password with a link that was sent by email. It signs no one in: a second factor is still
 * needed. There is no actor yet: the token authorizes.
 */
export async function resetPasswordByLink(
  parts: Pick<ServiceParts, "db"> & Pick<ServiceContext, "sealer" | "request">,
  token: string,
  password: string,
): Promise<ResetResult> {
  const { db } = parts;
  // The cheap check comes first, so that an attacker can't make us hash passwords.
  if (!(await isPasswordResetOpen(db, token))) return "link_invalid";
  const passwordHash = await hashNewPassword(password);
  if (passwordHash === null) return "password_common";
  const person = await db.$transaction(async (tx) => {
    const found = await consumePasswordReset(tx, token, passwordHash);
    if (found !== null) await auditPerson(parts, found, { event: "user.password.reset" }, tx);
    return found;
  });
  if (person === null) return "link_invalid";
  log.info("password.reset", { userId: person.userId, by: "email" });
  return "reset";
}
