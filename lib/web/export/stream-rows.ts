import pLimit from "p-limit";
import { toCsvRow } from "#lib/core/api/csv-row.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";
import {
  maxExportedRows,
  type Row,
  type RowSource,
  toCells,
  tooManyRows,
} from "#lib/web/route/row-source.ts";
import type { RowFormat } from "./row-format.ts";

export type StreamEnd =
  | { readonly kind: "done" | "canceled" }
  | { readonly kind: "failed"; readonly detail: string };

export type StreamOptions = {
  readonly format: RowFormat;
  /** Adds a byte order mark to CSV: without it, Excel reads UTF-8 as another encoding. */
  readonly hasMark?: boolean;
  readonly maxRows?: number;
  /** Called before each page. Throws once the caller may not read it any more. */
  readonly recheck?: () => Promise<void>;
  /** Called after each page with the number of rows so far. */
  readonly onRows?: (count: number) => void;
  readonly onEnd?: (end: StreamEnd) => void;
  /** Logs an error, and returns the part that the caller may read. */
  readonly explain: (error: unknown) => { readonly code: string; readonly detail: string };
};

/** Exports take turns, so that they never use all connections of the web process. */
const inTurn = pLimit(3);

/**
 * Streams rows. A page is read when the client has taken the one before, so that neither a large
 * list nor a slow client takes memory, and nothing more is read once the client is gone.
 *
 * A failure can't change the status any more: NDJSON ends with an object that has an `error`, and
 * the connection of a CSV is closed in the middle, so that the download fails.
 */
export function streamRows(
  { columns, pages }: RowSource,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { format, hasMark = false, maxRows = maxExportedRows, explain } = options;
  const { recheck, onRows, onEnd } = options;
  const encoder = new TextEncoder();
  let count = 0;
  let isCanceled = false;
  let head = format === "csv" ? `${hasMark ? "\ufeff" : ""}${toCsvRow(columns)}` : "";
  const write = (rows: readonly Row[]) => {
    const lines = rows.map((row) =>
      format === "csv" ? toCsvRow(toCells(row, columns)) : `${toJsonText(row)}\n`,
    );
    const bytes = encoder.encode(`${head}${lines.join("")}`);
    head = "";
    return bytes;
  };

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // A page of a search may be empty, and a pull that adds nothing isn't repeated.
    for (let isEmpty = true; isEmpty; ) {
      const { done, value } = await inTurn(async () => {
        await recheck?.();
        return await pages.next();
      });
      if (isCanceled) return;
      const rows = value ?? [];
      count += rows.length;
      if (count > maxRows) throw tooManyRows();
      const bytes = write(rows);
      isEmpty = bytes.length === 0;
      if (!isEmpty) controller.enqueue(bytes);
      onRows?.(count);
      if (done !== true) continue;
      controller.close();
      onEnd?.({ kind: "done" });
      return;
    }
  }

  function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    const explained = explain(error);
    onEnd?.({ kind: "failed", detail: explained.detail });
    if (format === "csv") {
      controller.error(error);
      return;
    }
    controller.enqueue(encoder.encode(`${toJsonText({ error: explained })}\n`));
    controller.close();
  }

  return new ReadableStream(
    {
      async pull(controller) {
        await pull(controller).catch((error: unknown) => {
          if (!isCanceled) fail(controller, error);
        });
      },
      async cancel() {
        isCanceled = true;
        onEnd?.({ kind: "canceled" });
        await pages.return();
      },
    },
    { highWaterMark: 0 },
  );
}
