import type { z } from "zod";
import type { bulkAcceptSchema } from "#lib/schema/delivery.ts";
import { readDeliveryQuery } from "#lib/web/deliveries/delivery-filters.ts";
import { listValuesSchema } from "#lib/web/request/list-query.ts";

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
