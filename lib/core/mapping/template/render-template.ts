import { Drop, LiquidError, toValueSync } from "liquidjs";
import type { Place } from "#lib/core/mapping/encode/place.ts";
import {
  type CompiledTemplate,
  compileTemplate,
  isTemplate,
  type TemplateProblem,
} from "./compile-template.ts";
import { encodeParts } from "./encode-parts.ts";
import { liquid } from "./liquid-engine.ts";
import type { MappingContext } from "./mapping-context.ts";
import { MappingScope, MissingNameError } from "./mapping-scope.ts";
import { type Part, PartsEmitter } from "./parts-emitter.ts";
import { renderPlain } from "./plain-template.ts";
import { RenderBudget, TemplateFault } from "./render-budget.ts";
import { JsonFragment } from "./value-to-text.ts";

/**
 * The input of rendering in addition to the template. The templates of a request share `budget`.
 */
export type RenderInput = {
  readonly context: MappingContext;
  readonly nowMs: number;
  readonly budget?: RenderBudget;
};

export type RenderFailure = {
  readonly ok: false;
  /**
   * `missing`: names that the delivery doesn't have. `fault`: the template can't be rendered for
   * another reason.
   */
  readonly code: "missing" | "fault";
  /** One sentence per error. `missing` lists every missing name. */
  readonly messages: readonly string[];
  /** The missing name that a message reports, where it is known. */
  readonly names?: ReadonlyMap<string, string>;
};

type RenderedText = { readonly ok: true; readonly text: string } | RenderFailure;
type RenderedValue = { readonly ok: true; readonly value: unknown } | RenderFailure;

/** Renders a template to text, with every value encoded for `place`. */
export function renderText(source: string, place: Place, input: RenderInput): RenderedText {
  if (!isTemplate(source)) return encode([{ kind: "literal", text: source }], place);
  return render(compileTemplate(source), input, (parts) => encode(parts, place));
}

/**
 * Renders a string of a JSON body. A single output `{{ … }}` returns its value unchanged: a number,
 * a list, or null. Anything else returns a string.
 */
export function renderString(source: string, input: RenderInput): RenderedValue {
  const compiled = isTemplate(source) ? compileTemplate(source) : undefined;
  if (compiled === undefined) return { ok: true, value: source };
  if (compiled.ok && compiled.single !== null) return render(compiled, input, readSingle);
  const rendered = renderText(source, "text", input);
  return rendered.ok ? { ok: true, value: rendered.text } : rendered;
}

/** True if the template is a single output. */
export function isSingleOutput(source: string): boolean {
  const compiled = isTemplate(source) ? compileTemplate(source) : undefined;
  return compiled?.ok === true && compiled.single !== null;
}

function encode(parts: readonly Part[], place: Place): RenderedText {
  try {
    return { ok: true, text: encodeParts(parts, place) };
  } catch (error) {
    return toFailure(error);
  }
}

function readSingle([part]: readonly Part[]): RenderedValue {
  try {
    return { ok: true, value: part?.kind === "value" ? toJsonValue(part.value) : null };
  } catch (error) {
    return toFailure(error);
  }
}

/** The form of liquidjs' own objects and our JSON fragments in a body. */
function toJsonValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TemplateFault(`the result is ${value}, which is not a number that can be sent`);
  }
  if (value instanceof Drop) return value.valueOf() ?? null;
  return value instanceof JsonFragment ? value.toString() : value;
}

/** liquidjs throws its errors; from here on they are values. */
function render<T>(
  compiled: CompiledTemplate | TemplateProblem,
  { context, nowMs, budget = new RenderBudget() }: RenderInput,
  use: (parts: readonly Part[]) => T,
): T | RenderFailure {
  if (!compiled.ok)
    return fault(`line ${compiled.line}, column ${compiled.column}: ${compiled.message}`);
  try {
    const { plain } = compiled;
    const rendered =
      context.isDamaged || plain === null ? null : renderPlain(plain, context, budget);
    if (rendered !== null) return use(rendered);
  } catch (error) {
    return toFailure(error);
  }
  const { payloadProblem, isDamaged } = context;
  const options = { nowMs, budget, payloadProblem, isDamaged };
  const scope = new MappingScope(liquid, context.names, options);
  const emitter = new PartsEmitter(budget);
  try {
    toValueSync(liquid.renderer.renderTemplates(compiled.nodes, scope, emitter));
  } catch (error) {
    if (scope.missing.size === 0) return toFailure(error);
  }
  return scope.missing.size === 0 ? use(emitter.parts) : missing(scope.missing);
}

function missing(found: ReadonlyMap<string, string | null>): RenderFailure {
  const names = [...found].flatMap(([message, name]) =>
    name === null ? [] : ([[message, name]] as const),
  );
  return { ok: false, code: "missing", messages: [...found.keys()], names: new Map(names) };
}

function toFailure(error: unknown): RenderFailure {
  const cause = LiquidError.is(error) ? (error.originalError ?? error) : error;
  if (cause instanceof MissingNameError)
    return missing(new Map([[cause.message, cause.missingName]]));
  if (cause instanceof RangeError && /call stack/.test(cause.message))
    return fault("the template is nested too deep");
  return fault(
    cause instanceof Error
      ? cause.message.replace(/, line:\d+, col:\d+$/, "")
      : "the template failed",
  );
}

function fault(message: string): RenderFailure {
  return { ok: false, code: "fault", messages: [message] };
}
