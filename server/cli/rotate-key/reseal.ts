import { beginOfSealedValue, resealValues } from "#lib/core/redact/sealed-value.ts";
import { deriveSealKey } from "#lib/core/seal/derive-key.ts";
import { deliveryHeadersPlace, idempotentResponsePlace } from "#lib/core/seal/seal-places.ts";
import { type SealedColumn, sealedColumns } from "#lib/core/seal/sealed-columns.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { listSealedDeliveries, replaceSealedDelivery } from "#lib/db/seal/sealed-deliveries.ts";
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

const leastId = "00000000-0000-0000-0000-000000000000";

async function resealDeliveries(
  db: SqlStatements,
  sealer: Sealer,
  oldKeyId: string,
): Promise<number> {
  const begin = beginOfSealedValue(oldKeyId);
  let count = 0;
  for (let after = leastId; ; ) {
    const rows = await listSealedDeliveries(db, begin, after, batch);
    for (const row of rows) {
      const place = deliveryHeadersPlace(row);
      const resealed = {
        ...row,
        headersJson: resealValues(sealer, row.headersJson, place),
        query: resealValues(sealer, row.query, place),
        path: resealValues(sealer, row.path, place),
      };
      if (await replaceSealedDelivery(db, row, resealed)) count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}

async function resealResponses(
  db: SqlStatements,
  sealer: Sealer,
  oldKeyId: string,
): Promise<number> {
  const begin = beginOfSealedValue(oldKeyId);
  let count = 0;
  for (let after: SealedResponse | null = null; ; ) {
    const rows = await listSealedResponses(db, begin, after, batch);
    for (const row of rows) {
      const place = idempotentResponsePlace(row.accountId, row.key);
      const body = resealValues(sealer, row.body, place);
      if (await replaceSealedResponse(db, row, body)) count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
