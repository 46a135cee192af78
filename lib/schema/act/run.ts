/** Queries for runs. */
import { z } from "zod";
import { filterText, instant, isInOrder, pageFields } from "#lib/schema/field/common.ts";
import { listedIds } from "#lib/schema/field/selected.ts";
import { jobLimitFields } from "./bulk-job.ts";
import { type BulkKind, bulkStatuses, type RunStatus, runStatuses } from "./run-states.ts";

/** The reason for a run's state: a code for programs, and a sentence for people. */
export type RunReason = { readonly code: string; readonly detail: string };

/** The reason why a due run doesn't start. */
export type RunWait =
  /** The receiver is down. */
  | { readonly kind: "receiver"; readonly downSince: Date; readonly nextTryAt: Date }
  /** The action is held until it changes, or is released manually. */
  | { readonly kind: "action"; readonly heldSince: Date; readonly reason: string }
  /** An older run with the same key comes first. */
  | {
      readonly kind: "order";
      readonly runId: string;
      readonly deliveryId: string;
      readonly createdAt: Date;
    };

export const reasonCode = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/, "must be the code of a reason, such as attempts_exhausted");

const filterFields = {
  hookId: z.string().max(64).optional().describe("Only runs of this hook"),
  actionId: z.string().max(64).optional().describe("Only runs of this action"),
  subscriptionId: z.string().max(64).optional().describe("Only sends of this subscription"),
  /** The bulk job that queued it. */
  jobId: z.string().max(64).optional(),
  /** When the run was created: `from` is inclusive, `to` is exclusive. */
  from: instant.optional(),
  to: instant.optional(),
  /** The code of the reason: `attempts_exhausted`, `mapping_failed`. */
  reason: reasonCode.optional(),
  /** Text in the reason, the event id, or the event type. */
  q: filterText.optional(),
};

/** `GET /runs?…`. */
export const runQuerySchema = z
  .strictObject({
    ...pageFields,
    ...filterFields,
    ids: listedIds.optional(),
    deliveryId: z.string().max(64).optional().describe("Only runs on this delivery"),
    eventId: z
      .string()
      .max(128)
      .optional()
      .describe("Only runs for this event, by the id that its publisher set"),
    status: z
      .enum(runStatuses, { error: `must be one of ${runStatuses.join(", ")}` })
      .optional()
      .describe("Only runs of this status"),
  })
  .refine(...isInOrder());

function bulkSchema<Kind extends BulkKind>(kind: Kind) {
  const statuses = bulkStatuses[kind];
  const filter = z
    .strictObject({
      ...filterFields,
      status: z
        .enum(statuses, { error: `must be one of ${statuses.join(", ")}` })
        .describe("Only runs of this status"),
    })
    .refine(...isInOrder())
    .describe("Which runs");
  return z.strictObject({ filter });
}

/** `POST /runs/retry`, `POST /runs/cancel`. */
export const bulkRetrySchema = bulkSchema("retry").extend(jobLimitFields);
export const bulkCancelSchema = bulkSchema("cancel");

/** `POST /runs/{id}/resolve`: the actual outcome of a call that a crash hid. */
export const resolveStepSchema = z.strictObject({
  step: z
    .string()
    .max(40)
    .describe("The key of the step. Of an action with one call, its key in the run"),
  item: z
    .int()
    .min(0, "must be at least 0")
    .nullable()
    .default(null)
    .describe("The number of the item, from 0, for a step with `forEach`"),
  as: z
    .enum(["repeat", "succeeded", "failed"], { error: "must be repeat, succeeded, or failed" })
    .describe("`repeat` makes the call again. The others say what happened to it"),
});

/** `POST /runs/{id}/retry`. */
export const retryRunSchema = z.strictObject({
  fromStep: z
    .string()
    .max(40)
    .nullable()
    .default(null)
    .describe("The key of the first step to repeat. Null: the run continues where it ended"),
});

export type ResolveStep = z.input<typeof resolveStepSchema>;
export type StepResolution = z.output<typeof resolveStepSchema>;

/** A run in a list across hooks. */
export type RunListItem = {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly attemptCount: number;
  /** Null if none is scheduled or one is in flight. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** The duration of the last attempt, in milliseconds. */
  readonly durationMs: number | null;
  /** The status of the last attempt's response. Null: no response, or no attempt. */
  readonly httpStatus: number | null;
  /** The reason why there was no response. */
  readonly errorCode: string | null;
  readonly deliveryId: string | null;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly isSample: boolean;
  readonly hookId: string | null;
  readonly hookName: string | null;
  readonly actionId: string | null;
  /** Null: the action was deleted. */
  readonly actionName: string | null;
  /**
   * The subscription of a send, which is a run without a hook and an action. Its event has no
   * delivery.
   */
  readonly subscriptionId: string | null;
  /** The key of a send's event in the database. `eventId` is the publisher's id. */
  readonly internalEventId: string | null;
  readonly receiverUrl: string | null;
  readonly subscriptionDescription: string | null;
  readonly recipient: string | null;
};
