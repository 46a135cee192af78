import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { ChannelKind } from "#lib/schema/watch/alert.ts";

/** An alert channel as its account sees it. Its secrets stay sealed. */
export type ChannelRecord = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** An email address, or the host of a URL. */
  readonly target: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type SealedChannel = ChannelRecord & { readonly ciphertext: Uint8Array | null };

/** Channels of recipients are in `recipient-channels.ts`. */
const ofAccount = { recipient: null } as const;

type Columns = Pick<SealedChannel, "name" | "target" | "ciphertext">;

const shown = {
  id: true,
  name: true,
  kind: true,
  target: true,
  createdAt: true,
  updatedAt: true,
} as const;

export async function insertChannel(
  tx: Transaction,
  { ciphertext, ...columns }: Columns & { id: string; accountId: string; kind: ChannelKind },
): Promise<void> {
  const data = { ...columns, ciphertext: toBytes(ciphertext) };
  await tx.alertChannel.create({ data, select: { id: true } });
}

export async function countChannels(tx: Transaction, accountId: string): Promise<number> {
  return await tx.alertChannel.count({ where: { ...ofAccount, accountId } });
}

/** Lists channels, newest first. */
export async function listChannels(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<ChannelRecord>> {
  const rows = await db.alertChannel.findMany({
    where: { ...ofAccount, accountId, id: { lt: decodeCursor(page.cursor) } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
    select: shown,
  });
  return toPage(
    rows.map((row) => ({ ...row, kind: row.kind as ChannelKind })),
    page.limit,
  );
}

/** With its sealed secrets. Throws `not_found`. */
export async function getChannel(
  db: Database | Transaction,
  accountId: string,
  channelId: string,
): Promise<SealedChannel> {
  const id = requireId("alert channel", channelId);
  const row = await db.alertChannel.findFirst({
    where: { ...ofAccount, accountId, id },
    select: { ...shown, ciphertext: true },
  });
  if (row === null) throw notFound("alert channel");
  return { ...row, kind: row.kind as ChannelKind };
}

/**
 * The same, and locks its row until the transaction ends: its secrets are changed together with what
 * is shown of them. Throws `not_found`.
 */
export async function lockChannel(
  tx: Transaction,
  accountId: string,
  channelId: string,
): Promise<SealedChannel> {
  const id = requireId("alert channel", channelId);
  await tx.$queryRaw`
    select 1 from alert_channels where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
  return await getChannel(tx, accountId, channelId);
}

/** All channels of an account, with their sealed secrets, oldest first. */
export async function listSealedChannels(
  db: Database,
  accountId: string,
): Promise<readonly SealedChannel[]> {
  const rows = await db.alertChannel.findMany({
    where: { ...ofAccount, accountId },
    orderBy: { id: "asc" },
    select: { ...shown, ciphertext: true },
  });
  return rows.map((row) => ({ ...row, kind: row.kind as ChannelKind }));
}

export async function changeChannel(
  tx: Transaction,
  id: string,
  { ciphertext, ...columns }: Partial<Columns>,
): Promise<void> {
  const secret = ciphertext === undefined ? {} : { ciphertext: toBytes(ciphertext) };
  const data = { ...columns, ...secret, updatedAt: new Date() };
  await tx.alertChannel.update({ where: { id }, data, select: { id: true } });
}

/** Deletes a channel with its messages, and removes it from the rules. */
export async function deleteChannel(tx: Transaction, accountId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    update alert_rules set channel_ids = array_remove(channel_ids, ${id}::uuid), updated_at = now()
    where account_id = ${accountId}::uuid and channel_ids @> array[${id}::uuid]`;
  await tx.alertChannel.delete({ where: { id }, select: { id: true } });
}

/** The ids that belong to channels of the account. */
export async function findChannelIds(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { ...ofAccount, accountId, id: { in: [...ids] } };
  const rows = await tx.alertChannel.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

function toBytes(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes === null ? null : new Uint8Array(bytes);
}
