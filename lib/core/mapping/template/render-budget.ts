export type BudgetLimits = { readonly maxSteps: number; readonly maxUnits: number };

/**
 * The shared limits of all templates of a request. Counted instead of timed, so that the preview
 * and the worker reject the same templates.
 */
const fullLimits: BudgetLimits = { maxSteps: 50_000, maxUnits: 8_000_000 };

/**
 * A template that exceeds a limit, or can't be rendered. The engine turns it into an error value.
 */
export class TemplateFault extends Error {}

/**
 * Counts steps (one per template node or loop pass) and units (one per character or list item
 * created or read). Replaces both of liquidjs' limiters: `check` is called before every node with
 * the time, which is ignored, `use` with an amount.
 */
export class RenderBudget {
  readonly #limits: BudgetLimits;
  #stepsLeft: number;
  #unitsLeft: number;

  constructor(limits: BudgetLimits = fullLimits) {
    this.#limits = limits;
    this.#stepsLeft = limits.maxSteps;
    this.#unitsLeft = limits.maxUnits;
  }

  /** True if something was rejected because of the budget. */
  get isSpent(): boolean {
    return this.#stepsLeft < 0 || this.#unitsLeft < 0;
  }

  check(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0)
      throw new TemplateFault(`the template takes more than ${this.#limits.maxSteps} steps`);
  }

  use(count: number): void {
    if (!(count > 0)) return;
    this.#unitsLeft -= count;
    if (this.#unitsLeft < 0)
      throw new TemplateFault("the template makes too much text or too long lists");
  }
}
