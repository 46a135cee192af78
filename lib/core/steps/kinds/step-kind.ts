import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import type { PublishedEvent } from "#lib/core/sender/read-published-event.ts";
import type { AnyStep, StepOf } from "#lib/schema/action/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

export type StepError = { readonly code: string; readonly message: string };

/** The driver adds credentials, which are stored apart. */
export type CallRequest = StepOf<"call">["request"];

/** What a step does outside of itself. */
export type StepEffect =
  | { readonly kind: "call"; readonly request: OutgoingRequest }
  | { readonly kind: "transform"; readonly code: string }
  /** `until` is what its template gave. */
  | { readonly kind: "delay"; readonly ms: number | undefined; readonly until: JsonValue }
  | { readonly kind: "publish"; readonly event: PublishedEvent; readonly json: string };

/** Why a step can't be done. A retry would change nothing. Paths are those of the step. */
export type StepProblem = StepError & { readonly errors: readonly FieldError[] };

export type Prepared<Value> =
  | { readonly kind: "ready"; readonly value: Value }
  /** Its condition doesn't match. */
  | { readonly kind: "skip"; readonly message: string }
  | ({ readonly kind: "fail" } & StepProblem);

/** What a step gave, for the steps after it. */
export type StepOutcome =
  | { readonly state: "succeeded"; readonly value: JsonValue }
  | { readonly state: "skipped"; readonly message: string }
  | ({ readonly state: "failed" } & StepProblem);

/** What a step can ask for before it has an effect. Its condition is evaluated first. */
export type Needs = {
  readonly request: (request: CallRequest) => Promise<Prepared<OutgoingRequest>>;
  readonly value: (value: JsonValue, at: string) => Promise<Prepared<string>>;
};

/** A kind of step: asks for what it needs, and says what its effect is. */
export type StepKind<Kind extends AnyStep["kind"]> = (
  step: StepOf<Kind>,
  needs: Needs,
) => Promise<Prepared<StepEffect>>;
