import { hashToken } from "#lib/db/accounts/hash-token.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";

type PasskeySummary = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type StoredPasskey = {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
};

/** A user's passkeys, the newest first. */
export async function listPasskeys(
  db: Database,
  userId: string,
): Promise<readonly (PasskeySummary & { readonly transports: readonly string[] })[]> {
  return await db.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    select: { id: true, name: true, createdAt: true, lastUsedAt: true, transports: true },
  });
}

export async function findPasskey(db: Database, id: string): Promise<StoredPasskey | null> {
  const row = await db.passkey.findUnique({ where: { id } });
  if (row === null) return null;
  const { userId, publicKey, counter, transports } = row;
  return { id, userId, publicKey, counter: Number(counter), transports };
}

/** False if someone has this passkey already. */
export async function insertPasskey(
  tx: Transaction,
  { transports, ...passkey }: StoredPasskey & { readonly name: string },
): Promise<boolean> {
  const { count } = await tx.passkey.createMany({
    data: [{ ...passkey, transports: [...transports] }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** False if the user has no such passkey. */
export async function renamePasskey(
  tx: Transaction,
  userId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  return (await tx.passkey.updateMany({ where: { id, userId }, data: { name } })).count === 1;
}

/** False if the user has no such passkey. */
export async function deletePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await tx.passkey.deleteMany({ where: { id, userId } })).count === 1;
}

export async function recordPasskeyUse(db: Database, id: string, counter: number): Promise<void> {
  await db.passkey.updateMany({
    where: { id },
    data: { counter: BigInt(counter), lastUsedAt: new Date() },
  });
}

/**
 * Uses up a challenge. False if it was answered before. A row lives longer than the cookie with the
 * challenge, which lasts five minutes.
 */
export async function consumeChallenge(db: Database, challenge: string): Promise<boolean> {
  const hash = hashToken(challenge);
  const used = await db.$executeRaw`
    with expired as (delete from used_challenges where expires_at < now())
    insert into used_challenges (challenge_hash, expires_at) values (${hash}, now() + interval '10 minutes')
    on conflict do nothing`;
  return used === 1;
}
