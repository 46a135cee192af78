import { cookies, headers } from "next/headers";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { sessionCookie } from "#lib/core/people/sign-in/session-cookie.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import {
  recordFailedSignIn,
  recordSignIn,
  type SignInWay,
} from "#lib/services/sign-in/record-sign-in.ts";
import {
  createSession,
  findUserById,
  maySignInByPassword,
} from "#lib/services/sign-in/sessions.ts";
import { checkSecondFactor } from "#lib/services/sign-in/two-factor.ts";
import { readClientKey, readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { deviceCookie, deviceMaxAgeSeconds, writeDeviceToken } from "./device-token.ts";
import { endPendingSignIn, readPendingSignIn } from "./pending-sign-in.ts";
import { setSessionCookie } from "./session.ts";
import { readSessionKeyOf } from "./session-token.ts";

/** Creates this browser's session after its user has proven the second factor. */
export async function finishSignIn(context: ServerContext, code: string): Promise<void> {
  const pending = await readPendingSignIn();
  const user = pending === null ? null : await findUserById(context.db, pending.userId);
  if (pending === null || user === null || !pending.isOf(user)) throw signInAgain();
  if (!(await maySignInByPassword(context, user.userId))) throw signInAgain();
  const sent = await headers();
  const address = readClientKey(sent);
  const given = { userId: user.userId, code };
  const checked = await checkSecondFactor(context, given, { address, nowMs: Date.now() });
  if (!checked.ok && checked.code === "throttled")
    throw new AppError("rate_limited", describeThrottled(checked.retryAfterSeconds));
  if (!checked.ok) {
    const audited = { ...context, request: readRequestOrigin(sent) };
    await recordFailedSignIn(audited, user, "code");
    throw invalidField("code", "is incorrect or was used already");
  }
  await openSession(context, user, checked.by);
  await endPendingSignIn();
}

/** Gives this browser a session of the user, whose passkey it has. */
export async function openSessionOf(context: ServerContext, userId: string): Promise<void> {
  const user = await findUserById(context.db, userId);
  if (user === null) throw signInAgain();
  await openSession(context, user, "passkey");
}

type SignedInUser = {
  readonly userId: string;
  readonly passwordHash: string;
  readonly email: string;
};

/** Gives this browser a session of the user, in place of the one that it had. */
async function openSession(
  context: ServerContext,
  user: SignedInUser,
  by: SignInWay,
): Promise<void> {
  const { isHttps, sessionSecret } = context;
  const [jar, sent] = [await cookies(), await headers()];
  const cookie = jar.get(sessionCookie(isHttps).name)?.value;
  const replaced = await readSessionKeyOf(cookie, sessionSecret);
  const client = { userAgent: sent.get("user-agent") ?? "", address: readClientKey(sent) };
  const sessionId = await createSession(context.db, user, client, replaced);
  if (sessionId === null) throw signInAgain();
  await recordSignIn({ ...context, request: readRequestOrigin(sent) }, user, by);
  const device = deviceCookie(isHttps);
  const token = await writeDeviceToken(user.email, sessionSecret);
  jar.set(device.name, token, { ...device.options, maxAge: deviceMaxAgeSeconds });
  await setSessionCookie({ userId: user.userId, sessionId });
  log.info("sign_in.finished", { userId: user.userId, address: client.address, by });
}

function signInAgain(): AppError {
  return new AppError("forbidden", "This sign-in has expired. Sign in again.");
}
