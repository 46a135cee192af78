import { connectTo } from "#e2e/harness/connect-to.ts";

type Ledger = readonly { readonly eventId: string }[];

/**
 * Deliveries that were stored by an earlier transaction than one that was acknowledged before them.
 *
 * @param ledgers one per hook, in the order of the acknowledgements
 */
export async function findOutOfOrder(url: string, ledgers: readonly Ledger[]): Promise<string[]> {
  await using client = await connectTo(url);
  const { rows } = await client.query<{ event_id: string; transaction: string }>(
    "select event_id, xmin::text as transaction from deliveries where status = 'accepted'",
  );
  const stored = new Map(rows.map((row) => [row.event_id, Number(row.transaction)]));
  return ledgers.flatMap((ledger) => findIn(ledger, stored));
}

function findIn(ledger: Ledger, stored: ReadonlyMap<string, number>): string[] {
  const breaches: string[] = [];
  let last = 0;
  let lastId = "";
  // An event that was sent twice is in the ledger twice, and stored with the first.
  for (const eventId of new Set(ledger.map((line) => line.eventId))) {
    const transaction = stored.get(eventId);
    if (transaction === undefined) continue;
    if (transaction < last) breaches.push(`${eventId} was stored before ${lastId}`);
    last = transaction;
    lastId = eventId;
  }
  return breaches;
}
