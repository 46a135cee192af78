/** Backtests: what a draft of an action would do for deliveries that have arrived. */
import { z } from "zod";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/action/action.ts";
import { hasAtMost, instant, isInOrder, pageFields } from "#lib/schema/field/common.ts";

export const maxBacktestDeliveries = 10_000;

export const backtestOutcomes = ["run", "skip", "fail"] as const;
export type BacktestOutcome = (typeof backtestOutcomes)[number];

const lastError = `must be a whole number from 1 to ${maxBacktestDeliveries}`;

/** The answer of a call to use where no real run has one. */
const answer = z.strictObject({
  status: z.int().min(100, "must be from 100 to 599").max(599, "must be from 100 to 599"),
  headers: z
    .record(z.string().max(128), z.string().max(8192))
    .refine(...hasAtMost(50, "at most 50 headers"))
    .default({}),
  body: z.unknown().optional(),
});
export type BacktestAnswer = z.output<typeof answer>;

const setFields = {
  /** The newest so many, of those in the time range if there is one. */
  last: z.int(lastError).min(1, lastError).max(maxBacktestDeliveries, lastError).default(1_000),
  /** `from` is inclusive, `to` is not. */
  from: instant.optional(),
  to: instant.optional(),
  /** By the key of the step. */
  answers: z
    .record(z.string().max(40), answer)
    .refine(...hasAtMost(20, "at most 20 answers"))
    .default({}),
};

/** `POST /actions/{id}/backtests`. What the draft omits stays as it is stored. */
export const actionBacktestSchema = z
  .strictObject({ draft: actionPatchSchema.prefault({}), ...setFields })
  .refine(...isInOrder());
export type ActionBacktest = z.output<typeof actionBacktestSchema>;

/** `POST /hooks/{id}/backtests`: of an action that isn't saved yet. */
export const hookBacktestSchema = z
  .strictObject({ draft: actionInputSchema, ...setFields })
  .refine(...isInOrder());
export type HookBacktest = z.output<typeof hookBacktestSchema>;

/** The deliveries alone: what the dashboard asks for. */
export const backtestSetSchema = z.strictObject(setFields).refine(...isInOrder());
export type BacktestSet = z.output<typeof backtestSetSchema>;

/** `GET /backtests/{id}/results?…` */
export const backtestResultQuerySchema = z.strictObject({
  ...pageFields,
  outcome: z
    .enum(backtestOutcomes, { error: `must be one of ${backtestOutcomes.join(", ")}` })
    .optional(),
  /** Only those for which the draft does something else than the version in force. */
  changed: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .optional(),
});

/** One value of a request, as text. Null: it isn't there. */
export type RequestChange = {
  /** `url`, `headers.accept`, `body.customer.email`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** A request or event that the draft, or the version in force, would send. */
export type BacktestRequest = {
  readonly step: string;
  /** Of a step with `forEach`. */
  readonly item: number | null;
  readonly kind: "call" | "publish";
  readonly method: string;
  readonly url: string;
  /** Compared with the version in force. `new`: there is nothing to compare with. */
  readonly change: "same" | "changed" | "added" | "removed" | "new";
  readonly changes: readonly RequestChange[];
  /** Changes that are not listed, because there are too many. */
  readonly moreChanges: number;
};

export type BacktestDetails = {
  readonly requests: readonly BacktestRequest[];
  /** Requests that are not listed. */
  readonly moreRequests: number;
  /** Steps that need an answer which no real run has and the request does not give. */
  readonly unknownSteps: readonly string[];
  /** Where the answers of calls are from that later steps used. */
  readonly answers: Readonly<Record<string, "stored" | "given">>;
  /** Lists whose items were not all evaluated. */
  readonly cutLists: readonly string[];
};
