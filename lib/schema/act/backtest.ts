/** Backtests show what a draft of an action would do for past deliveries. */
import { z } from "zod";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/act/action.ts";
import { startedFrom } from "#lib/schema/act/version.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { hasAtMost, instant, isInOrder, pageFields } from "#lib/schema/field/common.ts";

const maxBacktestDeliveries = 10_000;

export const backtestOutcomes = ["run", "skip", "fail"] as const;
export type BacktestOutcome = (typeof backtestOutcomes)[number];

const lastError = `must be a whole number from 1 to ${maxBacktestDeliveries}`;

/** The response to assume for a call that no real run has made. */
const response = z.strictObject({
  status: z.int().min(100, "must be from 100 to 599").max(599, "must be from 100 to 599"),
  headers: z
    .record(z.string().max(128), z.string().max(8192))
    .refine(...hasAtMost(50, "at most 50 headers"))
    .default({}),
  body: z.unknown().optional(),
});
export type BacktestResponse = z.output<typeof response>;

const setFields = {
  last: z
    .int(lastError)
    .min(1, lastError)
    .max(maxBacktestDeliveries, lastError)
    .default(1_000)
    .describe("How many of the newest deliveries to use, within the time range if there is one"),
  /** `from` is inclusive, `to` is not. */
  from: instant.optional(),
  to: instant.optional(),
  responses: z
    .record(z.string().max(40), response)
    .refine(...hasAtMost(20, "at most 20 responses"))
    .default({})
    .describe(
      "The response to assume for a call that no real run has made, by the key of the step: `{status, headers, body}`",
    ),
};

const against = startedFrom
  .optional()
  .describe("The version to compare with. Omitted: the one in force");

/** `POST /actions/{id}/backtests`. Fields that the draft omits keep their stored value. */
export const actionBacktestSchema = z
  .strictObject({
    draft: actionPatchSchema.prefault({}).describe("The fields of the action that would change"),
    version: startedFrom.optional().describe("A saved version to try instead of a draft"),
    against,
    ...setFields,
  })
  .refine(({ draft, version }) => version === undefined || Object.keys(draft).length === 0, {
    ...brokenRule("conflict", "can't be combined with a draft"),
    path: ["version"],
  })
  .refine(...isInOrder());
export type ActionBacktest = z.output<typeof actionBacktestSchema>;

/** `POST /hooks/{id}/backtests`: the backtest of an action that isn't saved yet. */
export const hookBacktestSchema = z
  .strictObject({
    draft: actionInputSchema.describe("The action, as `POST /hooks/{id}/actions` takes it"),
    ...setFields,
  })
  .refine(...isInOrder());
export type HookBacktest = z.output<typeof hookBacktestSchema>;

/** A backtest from the dashboard, where the draft and the deliveries are one form. */
export const draftBacktestSchema = actionInputSchema
  .safeExtend({ against, ...setFields })
  .refine(...isInOrder());

/** The results that a page shows. `new_fail`: those that would fail, and don't with the other version. */
export const backtestShows = ["", ...backtestOutcomes, "new_fail", "changed"] as const;
export type BacktestShow = (typeof backtestShows)[number];

const setSchema = z.object(setFields);
export type BacktestSet = z.output<typeof setSchema>;

/** `GET /backtests/{id}/results?…` */
export const backtestResultQuerySchema = z.strictObject({
  ...pageFields,
  outcome: z
    .enum(backtestOutcomes, { error: `must be one of ${backtestOutcomes.join(", ")}` })
    .optional()
    .describe("Only deliveries that the action would run, skip, or fail for"),
  changed: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .optional()
    .describe(
      "True: only results that differ from those of the version compared with. False: only others",
    ),
});

/** One value of a request, as text. */
const requestChangeSchema = z.object({
  path: z.string().describe("Such as url, headers.accept, or body.customer.email"),
  before: z.string().nullable().describe("Null: it wasn't there"),
  after: z.string().nullable().describe("Null: it is no longer there"),
});

const requestChanges = ["same", "changed", "added", "removed", "new"] as const;

const backtestRequestSchema = z.object({
  step: z.string(),
  item: z.int().nullable().describe("For a step with `forEach`: the item's position, from 0"),
  kind: z.enum(["call", "publish"]),
  method: z.string(),
  url: z.string(),
  change: z
    .enum(requestChanges)
    .describe("Compared with the version in force. new: there is nothing to compare with"),
  changes: z.array(requestChangeSchema).readonly(),
  moreChanges: z.int().describe("Changes that are not listed, because there are too many"),
});

/** A request or event that the draft or the current version would send. */
export type BacktestRequest = Readonly<z.output<typeof backtestRequestSchema>>;

export const backtestDetailsSchema = z.object({
  requests: z.array(backtestRequestSchema).readonly(),
  moreRequests: z.int().describe("Requests that are not listed"),
  unknownSteps: z
    .array(z.string())
    .readonly()
    .describe("Steps that need a response which no real run has and the request does not give"),
  responses: z
    .record(z.string(), z.enum(["stored", "given"]))
    .describe("The sources of the responses that later steps used"),
  cutLists: z.array(z.string()).readonly().describe("Lists whose items were not all evaluated"),
});
export type BacktestDetails = Readonly<z.output<typeof backtestDetailsSchema>>;

/** The state of a backtest, as pages show it. */
export type BacktestState = {
  readonly id: string;
  readonly status: "running" | "finished" | "cancelled";
  readonly total: number;
  readonly doneCount: number;
  readonly runCount: number;
  readonly skipCount: number;
  readonly failCount: number;
  readonly changedCount: number;
  /** The failing deliveries for which the other version fails too. */
  readonly stillFailCount: number;
  /** The saved version that was tried. Null: a draft. */
  readonly version: number | null;
  /** The version that it is compared with. Null: the action is new, or the backtest is older. */
  readonly against: number | null;
  readonly createdAt: Date;
};
