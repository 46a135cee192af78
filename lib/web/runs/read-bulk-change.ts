import type { z } from "zod";
import { type BulkKind, bulkStatuses } from "#lib/schema/act/run-states.ts";
import type { countBulkRuns } from "#lib/services/runs.ts";
import { listValuesSchema } from "#lib/web/request/list-query.ts";
import { readRunQuery } from "#lib/web/runs/run-filters.ts";

/** Bulk actions for runs in a state; null: none. */
export function bulkKindOf(status: string): BulkKind | null {
  if (bulkStatuses.retry.some((one) => one === status)) return "retry";
  return bulkStatuses.cancel.some((one) => one === status) ? "cancel" : null;
}

/**
 * The job for the runs that a list shows. A relative time counts back from now. Null: this filter
 * has no job.
 */
export function readBulkChange(given: unknown): z.input<typeof countBulkRuns.input> | null {
  const values = listValuesSchema.safeParse(given);
  if (!values.success) return null;
  const { asked, problems } = readRunQuery(values.data, Date.now());
  const kind = bulkKindOf(asked.status ?? "");
  if (kind === null || Object.keys(problems).length > 0) return null;
  // The status is one of this kind's. The service parses all of it.
  return { kind, filter: asked } as z.input<typeof countBulkRuns.input>;
}
