import { toFieldTerms } from "#lib/core/mapping/compare/field-terms.ts";
import {
  findIndexedRows,
  readIndexed,
  readIndexedHooks,
  replaceTerms,
  waitForIndex,
} from "#lib/db/field-search/rebuild-terms.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Changes deliveries, and makes the terms of the search again in the same transaction: a hash of a value is
 * short, so that someone with the index could try which value it is of.
 */
export async function withNewTerms(
  tx: SqlStatements,
  accountId: string,
  deliveryIds: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const indexed = await readIndexedHooks(tx, accountId, deliveryIds);
  await change();
  if (indexed.length === 0) return;
  await waitForIndex(tx);
  for (const row of await findIndexedRows(tx, indexed)) {
    const deliveries = await readIndexed(tx, row);
    const terms = new Set<number>();
    for (const { body, contentType } of deliveries)
      if (body !== null)
        for (const term of toFieldTerms(row.hookId, { body, contentType })) terms.add(term);
    await replaceTerms(tx, row, terms, deliveries.length);
  }
}
