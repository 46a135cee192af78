import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { Eraser } from "#lib/core/people/erase/eraser.ts";
import { rowsToErase } from "#lib/db/erasures/places.ts";
import type { LeasedErasure } from "#lib/db/erasures/work-erasures.ts";
import type { Manifest } from "./format.ts";
import { ArchiveError } from "./storage.ts";

type Table = Manifest["tables"][number];

/** Lines of a part without the values. `bytes` is null if none had one. */
export type LinesDone = { readonly bytes: Buffer | null; readonly rows: number };

type Options = {
  readonly accountId: string;
  readonly mode: LeasedErasure["mode"];
  readonly eraser: Eraser;
};

/** Takes values out of the lines of an archive, table by table in the order of its manifest. */
export class LineEraser {
  readonly #options: Options;
  /** Deliveries and events that were removed, and their runs. */
  readonly #removed = new Set<string>();
  /** Deliveries whose terms are of a value. */
  readonly #changed: string[] = [];
  #rows = 0;
  #hasChanged = false;

  constructor(options: Options) {
    this.#options = options;
  }

  erase(table: Table, lines: Buffer): LinesDone {
    const kept: Buffer[] = [];
    let rows = 0;
    let hasChanged = false;
    for (let at = 0; at < lines.length; ) {
      const end = lines.indexOf(newline, at) + 1 || lines.length;
      const line = lines.subarray(at, end);
      const erased = this.#eraseLine(table, line);
      if (erased !== line) hasChanged = true;
      if (erased !== null) {
        kept.push(erased);
        rows += 1;
      }
      at = end;
    }
    this.#hasChanged ||= hasChanged;
    return { bytes: hasChanged ? Buffer.concat(kept) : null, rows };
  }

  /** The rows that had a value, and whether anything has changed: also rows that belong to them. */
  done(): { readonly rows: number; readonly hasChanged: boolean } {
    return { rows: this.#rows, hasChanged: this.#hasChanged };
  }

  /** @returns the line itself if it stays, and null if it goes */
  #eraseLine({ name, columns }: Table, line: Buffer): Buffer | null {
    const { accountId, mode, eraser } = this.#options;
    if (name === "delivery_terms") return this.#coversChanged(line) ? null : line;
    if (!line.includes(accountId)) return line;
    const row = parseLine(line);
    if (row.account_id !== accountId) return line;
    const id = String(row.id);
    if (originsOf(name, row).some((one) => this.#removed.has(String(one)))) {
      this.#removed.add(id);
      return null;
    }
    const bytes = columns.flatMap((column) => (column.type === "bytea" ? [column.name] : []));
    const erased = eraseFields(name, row, bytes, eraser);
    if (erased === null) return line;
    this.#rows += 1;
    if (name === "deliveries") this.#changed.push(id);
    if (mode === "delete" && (name === "deliveries" || name === "events")) {
      this.#removed.add(id);
      return null;
    }
    return writeLine(erased, 2 * line.length + 1_024);
  }

  /** Its terms are also of a delivery that had a value. A restore has them made again. */
  #coversChanged(line: Buffer): boolean {
    if (this.#changed.length === 0) return false;
    const { id, last_id: lastId } = parseLine(line);
    return this.#changed.some((one) => one >= String(id) && one <= String(lastId));
  }
}

const newline = 10;

/** What a row goes with. */
function originsOf(table: Table["name"], row: Line): readonly unknown[] {
  switch (table) {
    case "runs":
    case "queue":
      return [row.delivery_id, row.event_id];
    case "attempts":
      return [row.run_id];
    case "run_steps":
    case "answers":
      return [row.id];
    default:
      return [];
  }
}

type Line = Readonly<Record<string, unknown>>;

/** Numbers stay as they are written. */
function parseLine(line: Buffer): Line {
  const parsed = parseExactJson(line.toString());
  if (!parsed.ok) throw new ArchiveError(`A line of an archive can't be read: ${parsed.message}.`);
  return parsed.value as Line;
}

function writeLine(row: Line, maxChars: number): Buffer {
  const written = stringifyExactJson(row, maxChars);
  if (!written.ok) throw new Error(written.message);
  return Buffer.from(`${written.text}
`);
}

/** Null: no field has a value. */
function eraseFields(
  table: string,
  row: Line,
  byteColumns: readonly string[],
  eraser: Eraser,
): Line | null {
  const erased: Record<string, unknown> = { ...row };
  const columns = rowsToErase.find((place) => place.table === table)?.columns ?? [];
  let hasChanged = false;
  for (const { name } of columns) {
    const isBytes = byteColumns.includes(name);
    const field = isBytes && typeof row[name] !== "string" ? `${name}_text` : name;
    const value = row[field];
    if (typeof value !== "string") continue;
    const changed = field === name && isBytes ? eraseHex(value, eraser) : eraser.eraseText(value);
    if (changed === null) continue;
    erased[field] = changed;
    hasChanged = true;
    if (name === "body" && row.body_size !== undefined)
      erased.body_size =
        isBytes && field === name ? (changed.length - 2) / 2 : Buffer.byteLength(changed);
  }
  return hasChanged ? erased : null;
}

/** Bytes as PostgreSQL writes them: `\x` and digits. */
function eraseHex(value: string, eraser: Eraser): string | null {
  const erased = eraser.eraseBytes(Buffer.from(value.slice(2), "hex"));
  return erased === null ? null : `\\x${erased.toString("hex")}`;
}
