import { AppError } from "#lib/errors.ts";
import type { RejectedFilter } from "#lib/schema/delivery.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readDeliveryQuery } from "#lib/web/views/delivery-filters.ts";

/**
 * The list's filter as a job's filter. A relative time counts back from now. Throws
 * `invalid_request`.
 */
export function readAcceptFilter(values: SearchParams): RejectedFilter {
  const { filter, problems } = readDeliveryQuery(values, Date.now());
  if (filter.status !== "rejected" || Object.keys(problems).length > 0)
    throw new AppError("invalid_request", "Filter by the status Rejected first.");
  const { hookId, eventType, eventId, isSample, q, from, to } = filter;
  return { hookId, eventType, eventId, isSample, q, from, to };
}
