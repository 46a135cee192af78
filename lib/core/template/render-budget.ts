/** What all templates of one request may use together. Counted, not timed: the preview and the worker refuse the same templates. */
const maxSteps = 50_000;
const maxUnits = 8_000_000;

/** A template that asks for too much, or for something that can't be done. The engine turns it into an error value. */
export class TemplateFault extends Error {}

/**
 * Counts steps (one a template node, and one a loop pass) and units (one a character or list item that is made or gone
 * through). It stands in for both of liquidjs' limiters: `check` is called before every node with the time,
 * which is ignored, `use` with an amount.
 */
export class RenderBudget {
  #stepsLeft = maxSteps;
  #unitsLeft = maxUnits;

  check(): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0) throw new TemplateFault(`the template takes more than ${maxSteps} steps`);
  }

  use(count: number): void {
    if (!(count > 0)) return;
    this.#unitsLeft -= count;
    if (this.#unitsLeft < 0) throw new TemplateFault("the template makes too much text or too long lists");
  }
}
