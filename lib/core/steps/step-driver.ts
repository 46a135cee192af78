import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type {
  CallRequest,
  Prepared,
  StepEffect,
  StepError,
  StepOutcome,
} from "./kinds/step-kind.ts";

/** One item of a step with `forEach`. */
export type StepItem = { readonly value: JsonValue; readonly index: number };

/** A step that runs. */
export type StepRun = {
  readonly step: AnyStep;
  /** The item of the step's list. Null: the step as a whole. */
  readonly item: StepItem | null;
  /** The step's condition. Null: it always holds. */
  readonly when: ActionFilter | null;
};

/** The run continues with this step later. */
export type StepPause = {
  readonly kind: "pause";
  readonly code: string;
  readonly detail: string;
  readonly delayMs: number;
};

export type StepEnd =
  | { readonly kind: "done" }
  /** The result isn't known. The steps after it run nevertheless. */
  | { readonly kind: "unknown" }
  | ({ readonly kind: "failed"; readonly key: string } & StepError)
  | StepPause
  /** Another worker has the run, or it was canceled. Nothing more may be done. */
  | { readonly kind: "lost" };

/**
 * Answers what steps need and what they do. The worker performs effects and keeps a ledger, a
 * backtest assumes known results, and a preview shows what would happen.
 */
export type StepDriver = {
  /** Finds the reason why no step or item may begin any more. Null: it may. */
  readonly findStop: () => StepPause | null;
  /** Finds what is known already: how the step ended, or why it has to wait. Null: it begins. */
  readonly find: (run: StepRun) => Promise<StepEnd | null>;
  /** Chooses the items of a list to process, and how many at once. */
  readonly chooseItems: (
    step: AnyStep,
    items: readonly JsonValue[],
  ) => { readonly items: readonly StepItem[]; readonly parallel: number };
  /** Prepares the request of a call, if the condition matches. */
  readonly prepareRequest: (
    run: StepRun,
    request: CallRequest,
  ) => Promise<Prepared<OutgoingRequest>>;
  /**
   * Renders JSON whose strings are templates, with all digits of the values, if the condition
   * matches. Errors have their paths below `at`.
   */
  readonly prepareValue: (run: StepRun, value: JsonValue, at: string) => Promise<Prepared<string>>;
  readonly perform: (run: StepRun, effect: StepEffect) => Promise<StepEnd>;
  /** Stores the outcome of a step that has no further effect. */
  readonly end: (run: StepRun, outcome: StepOutcome) => Promise<StepEnd>;
};
