import type { z } from "zod";
import { toColumn } from "#lib/core/mapping/compare/payload-values.ts";
import { bodyPath } from "#lib/schema/field/common.ts";
import { splitPaths } from "#lib/schema/field/value-path.ts";
import { type bulkAcceptSchema, deliveryQuerySchema } from "#lib/schema/receive/delivery.ts";
import { maxColumnWidth, minColumnWidth } from "#lib/schema/receive/delivery-columns.ts";
import {
  firstValue,
  listValuesSchema,
  readListQuery,
  type SearchParams,
} from "#lib/web/request/list-query.ts";

const names = ["q", "status", "hookId", "eventType", "eventId", "runs", "isSample"] as const;

export function readDeliveryQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: deliveryQuerySchema, nowMs });
}

/** The maximum number of payload paths that a list shows as columns. */
const maxColumns = 6;

/** The payload paths that the list shows as columns: `?columns=data.id,data.total`. */
export function readColumns({ columns }: SearchParams): readonly string[] {
  const paths = splitPaths(firstValue(columns)).filter((path) => bodyPath.safeParse(path).success);
  return [...new Set(paths.map(toColumn))].slice(0, maxColumns);
}

/** The widths of the columns in pixels, in their order: `?widths=120,,200`. Null: automatic. */
export function readWidths({ widths }: SearchParams, count: number): readonly (number | null)[] {
  const texts = firstValue(widths).split(",");
  return Array.from({ length: count }, (_, at) => {
    const width = Number(texts[at] ?? "");
    return Number.isInteger(width) && width >= minColumnWidth && width <= maxColumnWidth
      ? width
      : null;
  });
}

/**
 * The list's filter as a job's. A relative time counts back from now. Null: it isn't for rejected
 * deliveries.
 */
export function readRejectedFilter(
  given: unknown,
): z.input<typeof bulkAcceptSchema>["filter"] | null {
  const values = listValuesSchema.safeParse(given);
  if (!values.success) return null;
  const { asked, filter, problems } = readDeliveryQuery(values.data, Date.now());
  const { status, runs, isSample } = filter;
  if (status !== "rejected" || runs !== undefined || Object.keys(problems).length > 0) return null;
  return { ...asked, status, isSample };
}
