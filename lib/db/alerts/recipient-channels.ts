import { newId } from "#lib/base/ids.ts";
import { generateToken } from "#lib/db/accounts/api-tokens.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** An email address that is told when a receiver of a recipient fails. */
export type RecipientChannel = {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly email: string;
  /** Null: its mailbox hasn't said yet that it wants that. */
  readonly confirmedAt: Date | null;
  /** When the link was sent. */
  readonly createdAt: Date;
};

type Of = Pick<RecipientChannel, "accountId" | "recipient">;

const shown = {
  ...{ id: true, accountId: true, recipient: true, target: true },
  ...{ confirmedAt: true, createdAt: true },
} as const;

/** Lists the addresses of a recipient, oldest first. */
export async function listRecipientChannels(
  db: Database | Transaction,
  { accountId, recipient }: Of,
): Promise<readonly RecipientChannel[]> {
  const where = { accountId, recipient };
  const rows = await db.alertChannel.findMany({ where, orderBy: { id: "asc" }, select: shown });
  return rows.map(toRecord);
}

/**
 * Adds an address that isn't confirmed yet, or makes a new link for one that is waiting.
 *
 * @returns the token of its link. Null: it is confirmed already
 */
export async function putRecipientChannel(
  tx: Transaction,
  { accountId, recipient }: Of,
  email: string,
): Promise<string | null> {
  const token = generateToken("cem_");
  const rows = await tx.$queryRaw<{ id: string }[]>`
    insert into alert_channels (id, account_id, name, kind, target, recipient, link_token, updated_at)
    values (${newId()}::uuid, ${accountId}::uuid, ${`Portal: ${recipient}`}, 'email', ${email}, ${recipient}, ${token}, now())
    on conflict (account_id, recipient, target) do update
    set link_token = excluded.link_token, created_at = now(), updated_at = now()
    where alert_channels.confirmed_at is null
    returning id`;
  return rows.length === 0 ? null : token;
}

/** Removes an address with its messages. Returns it, or null if it isn't there. */
export async function deleteRecipientChannel(
  tx: Transaction,
  of: Of & Pick<RecipientChannel, "id">,
): Promise<RecipientChannel | null> {
  const { id, accountId, recipient } = of;
  const row = await tx.alertChannel.findFirst({
    where: { id, accountId, recipient },
    select: shown,
  });
  if (row === null) return null;
  await tx.alertChannel.deleteMany({ where: { id, accountId, recipient } });
  return toRecord(row);
}

/** The address of a link in an email, with the names that its page shows. */
export async function findLinkedChannel(
  db: Database | Transaction,
  linkToken: string,
): Promise<(RecipientChannel & { readonly portalName: string }) | null> {
  const row = await db.alertChannel.findUnique({
    where: { linkToken },
    select: { ...shown, account: { select: { name: true, senderSettings: true } } },
  });
  if (row === null) return null;
  const { account, ...channel } = row;
  const portalName = account.senderSettings?.portalName ?? account.name;
  return { ...toRecord(channel), portalName };
}

/** False if someone has confirmed it meanwhile. */
export async function confirmRecipientChannel(
  tx: Transaction,
  { id, accountId }: Pick<RecipientChannel, "id" | "accountId">,
): Promise<boolean> {
  const { count } = await tx.alertChannel.updateMany({
    where: { id, accountId, confirmedAt: null },
    data: { confirmedAt: new Date() },
  });
  return count === 1;
}

type Row = Omit<RecipientChannel, "email" | "recipient"> & {
  readonly target: string;
  readonly recipient: string | null;
};

function toRecord({ target, recipient, ...row }: Row): RecipientChannel {
  return { ...row, email: target, recipient: recipient ?? "" };
}
