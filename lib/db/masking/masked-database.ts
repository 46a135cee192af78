import { type MaskState, startMasking } from "#lib/core/people/mask/mask-state.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { maskRow } from "./mask-row.ts";

/**
 * The database as someone sees it for whom fields are masked. Every row of every statement is masked
 * before anything reads it, so that whatever is made of it (a page, an export, a preview, a search in
 * a payload) has never had the values. See docs/decisions/dashboard/079.
 *
 * @param fields none: the database as it is
 */
export function maskDatabase(db: Database, fields: readonly string[]): Database {
  if (fields.length === 0) return db;
  const state = startMasking(fields);
  const masked = db.$extends({
    name: "masked fields",
    client: { $hasMaskedFields: true },
    query: {
      $allOperations: async ({ model, args, query }) => {
        if (model === undefined) requireNoSearch(args);
        const found: unknown = await query(args);
        return model === undefined || payloadModels.has(model) ? maskRows(found, state) : found;
      },
    },
  });
  return masked as unknown as Database;
}

/** True if the rows of this database are masked: then no statement may compare payloads either. */
export function hasMask(db: Database | Transaction | SqlStatements): boolean {
  return (db as { $hasMaskedFields?: boolean }).$hasMaskedFields === true;
}

/** The models of what arrived, what was made of it, and what became of that. */
const payloadModels: ReadonlySet<string> = new Set([
  ...["Delivery", "Reply", "Event", "Run", "QueuedRun", "Attempt", "RunStep"],
  ...["BacktestResult", "Problem", "IdempotencyKey"],
]);

/** A row that is found by what its body contains shows it, whatever is masked. */
const comparesPayloads =
  /\b(?:payload_value|strpos|position)\s*\([^>=]*?\b(?:body|reason_detail|error_message)\b/i;

function requireNoSearch(args: unknown): void {
  const { sql = "" } = Object(args) as { sql?: string };
  if (comparesPayloads.test(sql))
    throw new Error("A statement for someone with masked fields compares payloads.");
}

function maskRows(found: unknown, state: MaskState): unknown {
  if (Array.isArray(found)) return found.map((row) => maskRows(row, state));
  const isRow = typeof found === "object" && found !== null && !(found instanceof Date);
  return isRow ? maskRow(found as Record<string, unknown>, state) : found;
}
