import type { Eraser } from "#lib/core/people/erase/eraser.ts";
import { openText } from "#lib/core/people/redact/sealed-value.ts";
import { actionDraftPlace, idempotentResponsePlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { eraseDelivery, eraseEvent } from "#lib/db/deliveries/delete-delivery.ts";
import { type Place, rowsToErase, rowsToName, rowsToOpen } from "#lib/db/erasures/places.ts";
import {
  changeRow,
  lockRow,
  type PlaceRow,
  type RowKey,
  readPlace,
  removeRow,
} from "#lib/db/erasures/scan-place.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { listLeased } from "#lib/db/runs/run-sources.ts";
import { renameUsage } from "#lib/db/usage/rename-usage.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";
import { withNewTerms } from "./rebuild-terms.ts";

/** What is to be done in a place. */
type How = "erase" | "open" | "name";
export type PlaceToErase = Place & { readonly how: How };

/** The places of a pass in the database. What is only named is counted once. */
export function listPlaces(pass: number): readonly PlaceToErase[] {
  const as = (how: How, places: readonly Place[]) => places.map((place) => ({ ...place, how }));
  return [
    ...as("erase", rowsToErase),
    ...as("open", rowsToOpen),
    ...(pass === 1 ? as("name", rowsToName) : []),
  ];
}

type Task = {
  readonly accountId: string;
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  readonly eraser: Eraser;
  readonly sealer: Sealer;
};

type RowsDone = {
  readonly found: number;
  readonly changed: number;
  /** The key of the last row that was looked at. */
  readonly after: RowKey | null;
  readonly isAtEnd: boolean;
};

/** Deleting a delivery takes several statements, and a transaction shouldn't take long. */
const maxChanges = 200;

/** Looks at the next rows of a place, and changes those with a value. */
export async function eraseRows(
  tx: SqlStatements,
  place: PlaceToErase,
  task: Task,
  after: RowKey | null,
): Promise<RowsDone> {
  const batch = await readPlace(tx, place, task.accountId, after);
  const hits: PlaceRow[] = [];
  let last = after;
  let isAtEnd = batch.isAtEnd;
  for (const row of batch.rows) {
    if (hits.length === maxChanges) {
      isAtEnd = false;
      break;
    }
    last = row.key;
    if (hasValue(place, row, task)) hits.push(row);
  }
  const changed = task.dryRun || place.how === "name" ? 0 : await change(tx, place, hits, task);
  return { found: hits.length, changed, after: last, isAtEnd };
}

function hasValue(place: PlaceToErase, row: PlaceRow, task: Task): boolean {
  if (place.how === "open") return hasSealedValue(place, row, task);
  return Object.keys(eraseValues(row, task.eraser)).length > 0;
}

function eraseValues(
  { values }: PlaceRow,
  eraser: Eraser,
): Readonly<Record<string, string | Uint8Array>> {
  const erased: Record<string, string | Uint8Array> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const changed = typeof value === "string" ? eraser.eraseText(value) : eraser.eraseBytes(value);
    if (changed !== null) erased[name] = changed;
  }
  return erased;
}

/** A row that can't be opened is of a key that is gone, and shows no one anything. */
function hasSealedValue(
  { table }: Place,
  { key, values }: PlaceRow,
  { accountId, sealer, eraser }: Task,
): boolean {
  const [first = "", second = ""] = key;
  if (table === "action_drafts") {
    const place = actionDraftPlace(accountId, { userId: first, targetId: second });
    const opened = values.content instanceof Uint8Array ? sealer.open(values.content, place) : null;
    return opened?.ok === true && eraser.eraseBytes(opened.plaintext) !== null;
  }
  const body = typeof values.body === "string" ? values.body : "";
  const text = openText(sealer, body, idempotentResponsePlace(accountId, second));
  return eraser.eraseText(second) !== null || (text !== null && eraser.eraseText(text) !== null);
}

async function change(
  tx: SqlStatements,
  place: PlaceToErase,
  hits: readonly PlaceRow[],
  task: Task,
): Promise<number> {
  const { accountId, mode } = task;
  const ids = hits.map(({ key }) => key[0] ?? "");
  if (place.how === "open") {
    for (const { key } of hits) await removeRow(tx, place, key);
    return hits.length;
  }
  if (mode === "delete" && (place.table === "deliveries" || place.table === "events"))
    return await deleteOrigins(tx, place.table, ids, accountId);
  if (place.table === "usage_hours" || place.table === "usage_days") {
    for (const row of hits)
      await renameUsage(tx, place.table, row.key, eraseValues(row, task.eraser));
    return hits.length;
  }
  const redact = async () => {
    for (const { key } of hits) await redactRow(tx, place, key, task.eraser);
  };
  if (place.table === "deliveries") await withNewTerms(tx, accountId, ids, redact);
  else await redact();
  return hits.length;
}

/** The row may have changed since it was read. */
async function redactRow(
  tx: SqlStatements,
  place: Place,
  key: RowKey,
  eraser: Eraser,
): Promise<void> {
  const row = await lockRow(tx, place, key);
  if (row === null) return;
  const erased = eraseValues(row, eraser);
  if (Object.keys(erased).length > 0) await changeRow(tx, place, key, erased);
}

/** Deletes deliveries or events. One with a call in flight is left to the next pass. */
async function deleteOrigins(
  tx: SqlStatements,
  table: "deliveries" | "events",
  ids: readonly string[],
  accountId: string,
): Promise<number> {
  const leased = await listLeased(tx, table === "deliveries" ? "delivery_id" : "event_id", ids);
  const free = ids.filter((id) => !leased.has(id));
  const remove = async () => {
    for (const id of free) {
      const isGone =
        table === "deliveries"
          ? await eraseDelivery(tx, accountId, id)
          : await eraseEvent(tx, accountId, id);
      // It began since. The batch is rolled back, and done again.
      if (!isGone) throw new Error("A call of a delivery that is to be forgotten has just started");
    }
  };
  if (table === "deliveries") await withNewTerms(tx, accountId, free, remove);
  else await remove();
  return free.length;
}
