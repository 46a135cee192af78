import { newId } from "#lib/base/ids.ts";
import { putRecipientChannel } from "#lib/db/alerts/recipient-channels.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";

/** Adds an address of a recipient that isn't confirmed. @returns its id, or that of nothing */
export async function addEmail(
  db: Database,
  accountId: string,
  recipient: string | null,
): Promise<string> {
  if (recipient === null) return newId();
  const target = `${newId()}@example.com`;
  await db.$transaction(async (tx) => {
    await ensureRecipient(tx, accountId, recipient);
    await putRecipientChannel(tx, { accountId, recipient }, target);
  });
  const where = { accountId, recipient, target };
  return (await db.alertChannel.findFirstOrThrow({ where })).id;
}
