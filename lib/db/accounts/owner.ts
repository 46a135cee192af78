import { newId } from "#lib/base/ids.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Setup } from "#lib/schema/account/setup.ts";

export type NewOwner = { readonly userId: string; readonly accountId: string };

export async function hasOwner(db: Database | Prisma.TransactionClient): Promise<boolean> {
  const owner = await db.membership.findFirst({
    where: { role: "owner" },
    select: { userId: true },
  });
  return owner !== null;
}

/** Serializes transactions that may create an owner. */
export async function lockOwners(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('catchment first owner'))`;
}

/** Call only under {@link lockOwners}, after {@link hasOwner} returned false. */
export async function insertOwner(
  tx: Prisma.TransactionClient,
  owner: Pick<Setup, "email" | "name" | "account"> & { readonly passwordHash: string },
): Promise<NewOwner> {
  const userId = newId();
  const accountId = newId();
  await tx.account.create({ data: { id: accountId, slug: owner.account, name: owner.account } });
  const { email, name, passwordHash } = owner;
  // Who sets up an installation decides whose it is.
  await tx.user.create({
    data: { id: userId, email, name, passwordHash, emailVerifiedAt: new Date() },
  });
  await tx.membership.create({ data: { accountId, userId, role: "owner" } });
  return { userId, accountId };
}
