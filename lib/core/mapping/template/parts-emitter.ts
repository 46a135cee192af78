import type { Emitter } from "liquidjs";
import type { RenderBudget } from "./render-budget.ts";
import { valueToText } from "./value-to-text.ts";

/** The template's own text, or a rendered value that still has to be encoded for its place. */
export type Part =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "value"; readonly value: unknown };

/**
 * Keeps a template's own text and its values apart until the end, so that every value is encoded
 * once for the place where it ends up, even in loops and captures.
 */
export class PartsEmitter implements Emitter {
  /** Required by liquidjs' interface; the result is in `parts`. */
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

/** The parts as plain text, without encoding. */
export function joinParts(parts: readonly Part[], budget: RenderBudget): string {
  let text = "";
  for (const part of parts) {
    const piece = part.kind === "literal" ? part.text : valueToText(part.value);
    budget.use(piece.length);
    text += piece;
  }
  return text;
}
