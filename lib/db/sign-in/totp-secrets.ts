import { hashToken } from "#lib/db/accounts/hash-token.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";

type TotpSecret = {
  /** Sealed at `totpSecretPlace`. */
  readonly ciphertext: Uint8Array;
  readonly isConfirmed: boolean;
};

export async function findTotpSecret(db: Database, userId: string): Promise<TotpSecret | null> {
  const row = await db.totpSecret.findUnique({ where: { userId } });
  if (row === null) return null;
  return { ciphertext: row.ciphertext, isConfirmed: row.confirmedAt !== null };
}

/** True if the user's sign-ins need a code. */
export async function hasTwoFactor(db: Database, userId: string): Promise<boolean> {
  return (await findTotpSecret(db, userId))?.isConfirmed === true;
}

/** Stores a secret to be confirmed. False if one is confirmed already. */
export async function putTotpSecret(
  db: Database,
  userId: string,
  ciphertext: Uint8Array,
): Promise<boolean> {
  const stored = await db.$executeRaw`
    insert into totp_secrets as t (user_id, ciphertext) values (${userId}::uuid, ${ciphertext})
    on conflict (user_id) do update set ciphertext = excluded.ciphertext, created_at = now(), last_step = 0
    where t.confirmed_at is null`;
  return stored === 1;
}

/** Turns two-factor on. False if it is on already. */
export async function confirmTotpSecret(
  tx: Transaction,
  userId: string,
  step: number,
): Promise<boolean> {
  const { count } = await tx.totpSecret.updateMany({
    where: { userId, confirmedAt: null },
    data: { confirmedAt: new Date(), lastStep: BigInt(step) },
  });
  return count === 1;
}

/** Uses up a time step and all before. False if it was used already. */
export async function consumeTotpStep(
  db: Database,
  userId: string,
  step: number,
): Promise<boolean> {
  const { count } = await db.totpSecret.updateMany({
    where: { userId, lastStep: { lt: BigInt(step) }, confirmedAt: { not: null } },
    data: { lastStep: BigInt(step) },
  });
  return count === 1;
}

/** Turns two-factor off. */
export async function deleteTotpSecret(tx: Transaction, userId: string): Promise<void> {
  await tx.totpSecret.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
}

/** The codes have 80 random bits, so a plain hash is enough. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  codes: readonly string[],
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashToken(code) })),
  });
}

/** Uses up a recovery code. False if it isn't one. */
export async function consumeRecoveryCode(
  db: Database,
  userId: string,
  code: string,
): Promise<boolean> {
  const { count } = await db.recoveryCode.deleteMany({
    where: { userId, codeHash: hashToken(code) },
  });
  return count === 1;
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return await db.recoveryCode.count({ where: { userId } });
}
