/** Queries for runs. */
import { z } from "zod";
import { filterText, instant, pageFields } from "./common.ts";
import { type BulkKind, bulkStatuses, runStatuses } from "./run-states.ts";

/** Why a run is in its state: a code for programs, and a sentence for people. */
export type RunReason = { readonly code: string; readonly detail: string };

const filterFields = {
  hookId: z.string().max(64).optional(),
  actionId: z.string().max(64).optional(),
  /** When the run was created: `from` is inclusive, `to` is exclusive. */
  from: instant.optional(),
  to: instant.optional(),
  /** The code of the reason: `attempts_exhausted`, `mapping_failed`. */
  reason: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, "must be the code of a reason, such as attempts_exhausted")
    .optional(),
  /** Contained in the reason, or in the event id or type of the delivery. */
  q: filterText.optional(),
};

const isInOrder = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
const outOfOrder = { path: ["to"], message: "must be after from" };

/** `GET /runs?…`. */
export const runQuerySchema = z
  .strictObject({
    ...pageFields,
    ...filterFields,
    deliveryId: z.string().max(64).optional(),
    subscriptionId: z.string().max(64).optional(),
    status: z.enum(runStatuses, { error: `must be one of ${runStatuses.join(", ")}` }).optional(),
  })
  .refine(isInOrder, outOfOrder);

function bulkSchema<Kind extends BulkKind>(kind: Kind) {
  const statuses = bulkStatuses[kind];
  const filter = z
    .strictObject({
      ...filterFields,
      status: z.enum(statuses, { error: `must be one of ${statuses.join(", ")}` }),
    })
    .refine(isInOrder, outOfOrder);
  return z.strictObject({ filter });
}

/** `POST /runs/retry`, `POST /runs/cancel`. */
export const bulkRetrySchema = bulkSchema("retry");
export const bulkCancelSchema = bulkSchema("cancel");
