import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import type { AnyStep, StepOf } from "#lib/schema/action/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { CallRequest, Prepared, StepEffect } from "../step-driver.ts";

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
