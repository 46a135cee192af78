import type { Transaction } from "#lib/db/postgres/client.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { type AuditContext, audit } from "#lib/services/audit.ts";

/** A person who changes their own access, without a session of an account. */
export type Person = { readonly userId: string; readonly email: string };

type Context = Omit<AuditContext, "actor" | "now">;

/** Records what a person did in the log of every account that they are a member of. */
export async function auditPerson(
  context: Context,
  { userId, email }: Person,
  event: string,
  tx: Transaction,
): Promise<void> {
  const targets = [{ type: "user", id: userId, name: email }];
  for (const { accountId, role } of await listMemberships(tx, userId)) {
    const actor = { type: "user", accountId, userId, email, role, sessionId: "" } as const;
    await audit({ ...context, actor, now: () => new Date() }, { event, targets }, tx);
  }
}
