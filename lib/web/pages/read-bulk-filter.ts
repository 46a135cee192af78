import type { BulkFilter } from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { type BulkKind, bulkStatuses } from "#lib/schema/run-states.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readRunQuery } from "#lib/web/views/run-filters.ts";

/** Bulk actions for runs in a state; null: none. */
export function bulkKindOf(status: string): BulkKind | null {
  if (bulkStatuses.retry.some((one) => one === status)) return "retry";
  return bulkStatuses.cancel.some((one) => one === status) ? "cancel" : null;
}

/**
 * The list's filter as a job's filter. A relative time counts back from now. Throws
 * `invalid_request`.
 */
export function readBulkFilter(values: SearchParams): { kind: BulkKind; filter: BulkFilter } {
  const { filter, problems } = readRunQuery(values, Date.now());
  const kind = bulkKindOf(filter.status ?? "");
  if (kind === null || filter.status === undefined || Object.keys(problems).length > 0) {
    throw new AppError(
      "invalid_request",
      "Choose a status with runs that can be retried or cancelled.",
    );
  }
  return { kind, filter: { ...filter, status: filter.status } };
}
