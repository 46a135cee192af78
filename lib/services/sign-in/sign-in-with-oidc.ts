import { randomBytes } from "node:crypto";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import {
  type IdentityKey,
  isFromFuture,
  readIdentity,
} from "#lib/core/people/sign-in/check-token.ts";
import { type Claims, readEmail } from "#lib/core/people/sign-in/claims.ts";
import {
  decideSignIn,
  type KnownUsers,
  type SignInDecision,
} from "#lib/core/people/sign-in/decide-sign-in.ts";
import { createSession, type SessionClient, type SessionKey } from "#lib/db/accounts/sessions.ts";
import { insertUser } from "#lib/db/accounts/users.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import {
  acceptIdentity,
  endOtherAccess,
  findKnownUsers,
  lockIdentity,
  lockSignInAccount,
  noteVerifiedEmail,
  putMembership,
  rejectIdentity,
} from "#lib/db/sign-in/identities.ts";
import type { RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import { auditPerson } from "#lib/services/account/person.ts";
import { audit } from "#lib/services/frame/audit.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { recordSignIn } from "./record-sign-in.ts";

type OidcSignIn =
  | { readonly ok: true; readonly userId: string; readonly sessionId: string }
  | { readonly ok: false; readonly reason: RejectionReason };

type Parts = Pick<ServiceContext, "db" | "env" | "sealer" | "request">;
type Accepted = Extract<SignInDecision, { ok: true }>;

/**
 * Signs in a person whose ID token was verified: finds or creates their user, gives them the role of
 * their groups, and creates a session. A person who may not sign in any longer loses every session.
 *
 * @param replaced the session that this browser had until now
 */
export async function signInWithOidc(
  parts: Parts,
  claims: Claims,
  client: SessionClient,
  replaced: SessionKey | null,
): Promise<OidcSignIn> {
  const { db, env } = parts;
  const { oidc } = env;
  if (oidc === undefined) throw new Error("Single sign-on isn't configured");
  const identity = readIdentity(claims);
  if (identity === null) return rejectClient(client, "bad_subject");
  if (isFromFuture(claims, Date.now())) return rejectClient(client, "clock");
  const email = readEmail(claims);
  // Before the transaction: hashing takes time, and no one knows this password.
  const passwordHash = await hashPassword(randomBytes(32).toString("base64url"));
  const result = await db.$transaction(async (tx) => {
    await lockIdentity(tx, identity, email);
    const known = await findKnownUsers(tx, identity, email);
    const accountId = await lockSignInAccount(tx, oidc.account);
    const decision = decideSignIn(oidc, claims, known);
    if (!decision.ok) return await reject(parts, tx, { identity, known, decision });
    if (accountId === null) return { ok: false, reason: "no_account" } as const;
    const user = await accept(parts, tx, { identity, decision, accountId, passwordHash });
    return { ok: true, user } as const;
  });
  if (!result.ok) return rejectClient(client, result.reason);
  const sessionId = await createSession(db, result.user, client, replaced);
  // The password was changed in between.
  if (sessionId === null) throw new Error("The session couldn't be created");
  await recordSignIn(parts, result.user, "single sign-on");
  const { userId } = result.user;
  log.info("sign_in.accepted", { userId, address: client.address, by: "oidc" });
  return { ok: true, userId, sessionId };
}

function rejectClient({ address }: SessionClient, reason: RejectionReason) {
  logCounted("warn", "sign_in.rejected", { reason, address });
  return { ok: false, reason } as const;
}

async function reject(
  parts: Parts,
  tx: Transaction,
  {
    identity,
    known,
    decision,
  }: {
    identity: IdentityKey;
    known: KnownUsers;
    decision: Extract<SignInDecision, { ok: false }>;
  },
): Promise<{ readonly ok: false; readonly reason: RejectionReason }> {
  const userId = known.byIdentity;
  if (userId !== null) {
    const { email } = await rejectIdentity(tx, identity, userId);
    const entry = {
      event: "user.sign_in.rejected",
      before: {},
      after: { reason: decision.reason },
    };
    await auditPerson(parts, { userId, email }, entry, tx);
  }
  return { ok: false, reason: decision.reason };
}

type Acceptance = {
  readonly identity: IdentityKey;
  readonly decision: Accepted;
  readonly accountId: string;
  readonly passwordHash: string;
};

async function accept(
  parts: Parts,
  tx: Transaction,
  { identity, decision, accountId, passwordHash }: Acceptance,
) {
  const { role, verifiedEmail } = decision;
  const userId =
    decision.kind === "create" ? await createUser(tx, decision, passwordHash) : decision.userId;
  // Anyone who had the user until now may be someone else: nothing of theirs may act as this person.
  if (decision.kind === "link") await endOtherAccess(tx, userId, passwordHash);
  const user = await acceptIdentity(tx, identity, userId);
  if (verifiedEmail !== null) await noteVerifiedEmail(tx, userId, verifiedEmail);
  if (decision.kind === "link") await auditPerson(parts, user, { event: "user.linked" }, tx);
  // Without a role claim, only new users become members: others were given their accounts here.
  if (role === null && decision.kind !== "create") return user;
  const { before, after } = await putMembership(tx, { accountId, userId }, role);
  if (before === after) return user;
  const context = {
    ...parts,
    actor: { type: "system", accountId },
    now: () => new Date(),
  } as const;
  const targets = [{ type: "user", id: userId, name: user.email }];
  const change = { before: { role: before }, after: { role: after } };
  const event = before === null ? "member.added" : "member.role.changed";
  await audit(context, { event, targets, ...change }, tx);
  return user;
}

async function createUser(
  tx: Transaction,
  { email, name, verifiedEmail }: Extract<Accepted, { kind: "create" }>,
  passwordHash: string,
): Promise<string> {
  const isEmailVerified = verifiedEmail !== null;
  const userId = await insertUser(tx, { email, name, passwordHash, isEmailVerified });
  // Someone got the email between the look-up and here. The next try finds them.
  if (userId === null) throw new Error("The email was just taken");
  return userId;
}
