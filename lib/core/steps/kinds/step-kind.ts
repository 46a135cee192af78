import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { PublishedEvent } from "#lib/core/sending/read-published-event.ts";
import type { AnyStep, StepOf } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

export type StepError = { readonly code: string; readonly message: string };

/** The driver adds credentials, which are stored apart. */
export type CallRequest = StepOf<"call">["request"];

/** The effect of a step outside of itself. */
export type StepEffect =
  | { readonly kind: "call"; readonly request: OutgoingRequest }
  | { readonly kind: "transform"; readonly code: string }
  /** The value of `until`'s template. */
  | { readonly kind: "delay"; readonly ms: number | undefined; readonly until: JsonValue }
  | { readonly kind: "publish"; readonly event: PublishedEvent; readonly json: string };

/** The reason why a step can't run. A retry would change nothing. Paths are those of the step. */
export type StepProblem = StepError & { readonly errors: readonly FieldError[] };

export type Prepared<Value> =
  | { readonly kind: "ready"; readonly value: Value }
  /** The step's condition doesn't match. */
  | { readonly kind: "skip"; readonly message: string }
  | ({ readonly kind: "fail" } & StepProblem);

/** The outcome of a step, for the steps after it. */
export type StepOutcome =
  | { readonly state: "succeeded"; readonly value: JsonValue }
  | { readonly state: "skipped"; readonly message: string }
  | ({ readonly state: "failed" } & StepProblem);

/** The requests that a step can make before it has an effect. Its condition is evaluated first. */
export type Needs = {
  readonly request: (request: CallRequest) => Promise<Prepared<OutgoingRequest>>;
  readonly value: (value: JsonValue, at: string) => Promise<Prepared<string>>;
};

/** A kind of step: asks for what it needs, and says what its effect is. */
export type StepKind<Kind extends AnyStep["kind"]> = (
  step: StepOf<Kind>,
  needs: Needs,
) => Promise<Prepared<StepEffect>>;
