import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** The names that a step's templates and filter can read in addition to the delivery. */
export type StepNames = {
  /** The results of the steps that have ended, by key. */
  readonly steps: Readonly<Record<string, JsonValue>>;
  /** The current item of a step with `forEach`. */
  readonly item?: JsonValue;
  readonly index?: number;
};

/** A delivery's context with the names of a step. The names of the delivery stay unchanged. */
export function addStepNames(context: MappingContext, step: StepNames): MappingContext {
  return new StepContext(context, step);
}

class StepContext implements MappingContext {
  readonly payloadProblem: string | null;
  readonly isDamaged: boolean;
  readonly payloadChars: number;
  readonly hops: number;
  readonly raw: MappingContext["raw"];
  readonly #delivery: MappingContext;
  readonly #step: Readonly<Record<string, unknown>>;
  #names: Readonly<Record<string, unknown>> | undefined;

  constructor(delivery: MappingContext, { steps, item, index }: StepNames) {
    this.payloadProblem = delivery.payloadProblem;
    this.isDamaged = delivery.isDamaged;
    this.payloadChars = delivery.payloadChars;
    this.hops = delivery.hops;
    this.raw = delivery.raw;
    this.#delivery = delivery;
    const ofItem = item === undefined ? {} : { item, index };
    this.#step = Object.assign(Object.create(null), { steps, ...ofItem });
  }

  get names(): Readonly<Record<string, unknown>> {
    if (this.#names !== undefined) return this.#names;
    // Copies descriptors, so that `rawBody` is read only when a template uses it.
    const names = Object.create(null, Object.getOwnPropertyDescriptors(this.#delivery.names));
    this.#names = Object.assign(names, this.#step);
    return this.#names ?? this.#step;
  }

  readName(name: string | number): unknown {
    return name in this.#step ? this.#step[name] : this.#delivery.readName(name);
  }
}
