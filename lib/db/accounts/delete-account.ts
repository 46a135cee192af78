import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** True if there is another account. A deletion calls it under `lockOwners`, so that one always stays. */
export async function hasOtherAccount(
  db: Database | Transaction,
  accountId: string,
): Promise<boolean> {
  const where = { id: { not: accountId }, deletedAt: null };
  return (await db.account.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Deletes a locked account: its members, secrets, tokens, and links at once. `purgeDeletedAccounts`
 * removes the rest later, which no one can read any more.
 */
export async function markAccountDeleted(tx: Transaction, accountId: string): Promise<void> {
  await deleteAccess(tx, accountId);
  // Waits for what is being added, and what comes later waits for it. Its slug can be used again at once.
  await tx.$executeRaw`
    update accounts set deleted_at = now(), slug = id::text where id = ${accountId}::uuid`;
  // What was added meanwhile.
  await deleteAccess(tx, accountId);
}

async function deleteAccess(tx: Transaction, accountId: string): Promise<void> {
  const where = { accountId };
  // First: someone who accepts one meanwhile is a member, who is removed here too.
  await tx.invitation.deleteMany({ where });
  // Before the members, whose end would leave it.
  await tx.deviceSignIn.deleteMany({ where });
  await tx.membership.deleteMany({ where });
  await tx.apiToken.deleteMany({ where });
  // With their portal links.
  await tx.recipient.deleteMany({ where });
  await tx.hookSecret.deleteMany({ where });
  await tx.hook.updateMany({
    where: { accountId, deletedAt: null },
    data: { deletedAt: new Date() },
  });
  // By the database's clock, which the purges compare it with.
  await tx.$executeRaw`
    update subscriptions set deleted_at = now(), headers_ciphertext = null
    where account_id = ${accountId}::uuid and deleted_at is null`;
  await tx.subscriptionPattern.deleteMany({ where });
  await tx.subscriptionSecret.deleteMany({ where });
  // None of their runs begins any more.
  await tx.action.updateMany({ where, data: { authCiphertext: null } });
  await tx.backtest.updateMany({ where, data: { draftAuth: null, currentAuth: null } });
  await tx.destination.updateMany({ where, data: { credentialId: null } });
  await tx.credential.deleteMany({ where });
  await tx.alertChannel.deleteMany({ where });
  await tx.senderSettings.deleteMany({ where });
  await tx.erasureRule.deleteMany({ where });
  await tx.erasureWatch.deleteMany({ where });
}
