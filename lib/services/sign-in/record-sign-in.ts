import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { hasEntrySince } from "#lib/db/audit/list-entries.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { signInSchema } from "#lib/schema/account/sign-in.ts";
import { auditPerson, type Person, type PersonContext } from "#lib/services/account/person.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";

/** How someone signed in, as the audit log shows it. The last step, if there were several. */
export type SignInWay = "password" | "app code" | "recovery code" | "passkey" | "single sign-on";

/** Records a sign-in in the log of every account of the person. */
export async function recordSignIn(
  context: PersonContext,
  person: Person,
  by: SignInWay,
): Promise<void> {
  const entry = { event: "user.signed_in", before: {}, after: { by } };
  await context.db.$transaction((tx) => auditPerson(context, person, entry, tx));
}

/**
 * Records a failed sign-in, at most once a minute for each person: someone who guesses must not fill
 * the log. A wrong code has an event of its own, because only someone with the password gets there.
 */
export async function recordFailedSignIn(
  context: PersonContext,
  { userId, email }: Person,
  by: "password" | "code" | "passkey",
): Promise<void> {
  const event = by === "code" ? "user.second_factor.failed" : "user.sign_in.failed";
  const since = new Date(Date.now() - 60_000);
  const targets = [{ type: "user", id: userId, name: email }];
  for (const { accountId, role } of await listMemberships(context.db, userId)) {
    if (await hasEntrySince(context.db, accountId, { event, target: userId, since })) continue;
    const actor = {
      type: "user",
      accountId,
      userId,
      email,
      role,
      sessionId: "",
      maskedFields: [],
    } as const;
    const entry = { event, targets, before: {}, after: { by } };
    await auditWithoutChange({ ...context, actor, now: () => new Date() }, entry);
  }
}

/** Records a wrong password, as entered. An email that no one has is in no account's log. */
export async function recordWrongPassword(
  context: PersonContext,
  given: Readonly<Record<"email" | "password", unknown>>,
): Promise<void> {
  const parsed = signInSchema.safeParse(given);
  if (!parsed.success) return;
  const { email } = parsed.data;
  const user = await findUserCredentials(context.db, email);
  if (user !== null) await recordFailedSignIn(context, { userId: user.userId, email }, "password");
}
