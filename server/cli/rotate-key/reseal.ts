import { firstId } from "#lib/core/api/page.ts";
import { beginOfSealedValue, resealValues } from "#lib/core/people/redact/sealed-value.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import {
  deliveryHeadersPlace,
  idempotentResponsePlace,
} from "#lib/core/people/seal/seal-places.ts";
import { type SealedColumn, sealedColumns } from "#lib/core/people/seal/sealed-columns.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  listSealedDeliveries,
  replaceSealedDelivery,
  type SealedDelivery,
} from "#lib/db/seal/sealed-deliveries.ts";
import {
  listSealedResponses,
  replaceSealedResponse,
  type SealedResponse,
} from "#lib/db/seal/sealed-responses.ts";
import {
  countSealedOtherwise,
  listSealed,
  replaceSealed,
  type SealedValue,
} from "#lib/db/seal/sealed-values.ts";
import { openSealer } from "#lib/open-sealer.ts";

export type KeyChange = { readonly newKey: string; readonly oldKey: string };

export type Resealed = {
  /** Values that are sealed with the new key now. */
  readonly count: number;
  /** Values of other keys, or that were changed: neither key opens them. */
  readonly unreadable: number;
};

const batch = 200;

/**
 * Seals every value of the old key again with the new one, a batch at a time, each value in a
 * statement of its own. Nothing is locked, values that change meanwhile are looked at again, and
 * after an interruption it continues with what is left.
 */
export async function resealAll(db: SqlStatements, change: KeyChange): Promise<Resealed> {
  const sealer = openSealer(change.newKey, change.oldKey);
  const oldKeyId = deriveSealKey(change.oldKey).id;
  let count = await resealDeliveries(db, sealer, oldKeyId);
  count += await resealResponses(db, sealer, oldKeyId);
  let unreadable = 0;
  for (const column of sealedColumns) {
    count += await resealColumn(db, sealer, column, oldKeyId);
    unreadable += await countSealedOtherwise(db, column, sealer.keyId);
  }
  return { count, unreadable };
}

async function resealColumn(
  db: SqlStatements,
  sealer: Sealer,
  column: SealedColumn,
  oldKeyId: string,
): Promise<number> {
  let [count, skipped] = [0, 0];
  while (true) {
    // Those that can't be opened stay in front, so each batch makes room for them.
    const values = await listSealed(db, column, oldKeyId, batch + skipped);
    let [replaced, failed] = [0, 0];
    for (const value of values) {
      const resealed = reseal(sealer, column, value);
      if (resealed === null) failed += 1;
      else if (await replaceSealed(db, column, value, resealed)) replaced += 1;
    }
    count += replaced;
    skipped = failed;
    // A value that was changed meanwhile is in the next batch, if the old key sealed it.
    if (values.length === failed) return count;
  }
}

/** Null: it was changed or moved, so it opens with no key. */
function reseal(sealer: Sealer, { place }: SealedColumn, value: SealedValue): Uint8Array | null {
  const at = place(value.row);
  const opened = sealer.open(value.sealed, at);
  return opened.ok ? sealer.seal(opened.plaintext, at) : null;
}

async function resealDeliveries(
  db: SqlStatements,
  sealer: Sealer,
  oldKeyId: string,
): Promise<number> {
  const begin = beginOfSealedValue(oldKeyId);
  return await resealRows(
    (after: SealedDelivery | null) => listSealedDeliveries(db, begin, after?.id ?? firstId, batch),
    async (row) => {
      const place = deliveryHeadersPlace(row);
      return await replaceSealedDelivery(db, row, {
        ...row,
        headersJson: resealValues(sealer, row.headersJson, place),
        query: resealValues(sealer, row.query, place),
        path: resealValues(sealer, row.path, place),
      });
    },
  );
}

async function resealResponses(
  db: SqlStatements,
  sealer: Sealer,
  oldKeyId: string,
): Promise<number> {
  const begin = beginOfSealedValue(oldKeyId);
  return await resealRows(
    (after: SealedResponse | null) => listSealedResponses(db, begin, after, batch),
    async (row) => {
      const place = idempotentResponsePlace(row.accountId, row.key);
      return await replaceSealedResponse(db, row, resealValues(sealer, row.body, place));
    },
  );
}

/**
 * @param list the rows after one, a batch at a time
 * @returns the number of rows that were replaced
 */
async function resealRows<Row>(
  list: (after: Row | null) => Promise<readonly Row[]>,
  replace: (row: Row) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (let after: Row | null = null; ; ) {
    const rows: readonly Row[] = await list(after);
    for (const row of rows) if (await replace(row)) count += 1;
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
