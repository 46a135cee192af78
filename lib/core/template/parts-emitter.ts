import type { Emitter } from "liquidjs";
import type { RenderBudget } from "./render-budget.ts";
import { valueToText } from "./value-to-text.ts";

/** What the template says itself, or a value that came out of it and is still to be encoded for its place. */
export type Part =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "value"; readonly value: unknown };

/**
 * Keeps a template's own text and the values it prints apart until the end, so that every value is encoded once, for the place where it
 * lands, also inside loops and captures.
 */
export class PartsEmitter implements Emitter {
  /** Part of liquidjs' interface; what is rendered is in `parts`. */
  buffer = "";
  readonly parts: Part[] = [];
  readonly #budget: RenderBudget;

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  write(text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#budget.use(text.length);
    this.parts.push({ kind: "literal", text });
  }

  writeValue(value: unknown): void {
    this.#budget.use(typeof value === "string" ? value.length : 1);
    this.parts.push({ kind: "value", value });
  }
}

/** The parts as plain text, nothing encoded. */
export function joinParts(parts: readonly Part[], budget: RenderBudget): string {
  let text = "";
  for (const part of parts) {
    const piece = part.kind === "literal" ? part.text : valueToText(part.value);
    budget.use(piece.length);
    text += piece;
  }
  return text;
}
