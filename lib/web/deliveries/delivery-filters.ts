import { toColumn } from "#lib/core/compare/payload-values.ts";
import { deliveryQuerySchema } from "#lib/schema/delivery.ts";
import { bodyPath } from "#lib/schema/field/common.ts";
import { splitPaths } from "#lib/schema/field/value-path.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

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
