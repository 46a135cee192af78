"use server";

import type { LimitInput } from "#components/lists/limit-input.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import {
  acceptDeliveries,
  acceptDelivery,
  countRejected,
} from "#lib/services/deliveries/change-deliveries.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";
import { readRejectedFilter } from "#lib/web/deliveries/delivery-filters.ts";

/** The filters of a list, as in its URL. */
type Values = Readonly<Record<string, string>>;

const notRejected = "Filter by the status Rejected first.";

export async function acceptCommand(id: string): Promise<CommandResult<"accepted" | "duplicate">> {
  return await changeByService(acceptDelivery, { id }, ({ outcome }) => outcome);
}

/** Counts the deliveries that a job would process. Null: too many to count. */
export async function countAcceptCommand(values: Values): Promise<CommandResult<number | null>> {
  const filter = readRejectedFilter(values);
  return filter === null ? reject(notRejected) : await askService(countRejected, { filter });
}

export async function startAcceptCommand(
  values: Values,
  limits: LimitInput,
): Promise<CommandResult<null>> {
  const filter = readRejectedFilter(values);
  if (filter === null) return reject(notRejected);
  return await changeByService(acceptDeliveries, { filter, ...readLimits(limits) }, nothing);
}
