import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { hasEntrySince } from "#lib/db/audit/list-entries.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { signInSchema } from "#lib/schema/account/sign-in.ts";
import { type AuditContext, audit } from "#lib/services/audit.ts";

type Context = Omit<AuditContext, "actor" | "now">;

/** What was entered into the form. */
type Given = Readonly<Record<"email" | "password", unknown>>;

/** Records a sign-in in the log of every account of the person. */
export async function recordSignIn(context: Context, given: Given): Promise<void> {
  await recordForAccounts(context, given, "user.signed_in", null);
}

/**
 * Records a wrong password, at most once a minute for each person: someone who guesses must not fill
 * the log. An email that no one has is in no account's log.
 */
export async function recordFailedSignIn(context: Context, given: Given): Promise<void> {
  const since = new Date(Date.now() - 60_000);
  await recordForAccounts(context, given, "user.sign_in.failed", since);
}

async function recordForAccounts(
  context: Context,
  given: Given,
  event: string,
  /** Null: however often it happens. */
  unlessSince: Date | null,
): Promise<void> {
  const parsed = signInSchema.safeParse(given);
  if (!parsed.success) return;
  const { email } = parsed.data;
  const user = await findUserCredentials(context.db, email);
  if (user === null) return;
  const { userId } = user;
  const entry = { event, targets: [{ type: "user", id: userId, name: email }] };
  for (const { accountId, role } of await listMemberships(context.db, userId)) {
    const known = { event, target: userId, since: unlessSince };
    if (known.since !== null && (await hasEntrySince(context.db, accountId, known))) continue;
    const actor = { type: "user", accountId, userId, email, role, sessionId: "" } as const;
    await audit({ ...context, actor, now: () => new Date() }, entry);
  }
}
