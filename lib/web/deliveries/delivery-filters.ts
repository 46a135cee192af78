import type { z } from "zod";
import { toColumn } from "#lib/core/mapping/compare/payload-values.ts";
import { bodyPath } from "#lib/schema/field/common.ts";
import { splitPaths } from "#lib/schema/field/value-path.ts";
import { type bulkAcceptSchema, deliveryQuerySchema } from "#lib/schema/receive/delivery.ts";
import { listValuesSchema, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

const names = ["q", "status", "hookId", "eventType", "eventId", "runs", "isSample"] as const;

export function readDeliveryQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: deliveryQuerySchema, nowMs });
}

/** The maximum number of payload paths that a list shows as columns. */
const maxColumns = 6;

/** The payload paths that the list shows as columns: `?columns=data.id,data.total`. */
export function readColumns({ columns }: SearchParams): readonly string[] {
  const text = (Array.isArray(columns) ? columns[0] : columns) ?? "";
  const paths = splitPaths(text).filter((path) => bodyPath.safeParse(path).success);
  return [...new Set(paths.map(toColumn))].slice(0, maxColumns);
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
