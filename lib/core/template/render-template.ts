import { Drop, LiquidError, toValueSync } from "liquidjs";
import { type CompiledTemplate, compileTemplate, isTemplate } from "./compile-template.ts";
import { encodeParts, type Place } from "./encode-parts.ts";
import { liquid } from "./liquid-engine.ts";
import type { MappingContext } from "./mapping-context.ts";
import { MappingScope, MissingNameError } from "./mapping-scope.ts";
import { PartsEmitter } from "./parts-emitter.ts";
import { RenderBudget, TemplateFault } from "./render-budget.ts";
import { JsonFragment } from "./value-to-text.ts";

/** What rendering needs besides the template. The templates of a request share `budget`. */
export type RenderInput = {
  readonly context: MappingContext;
  readonly nowMs: number;
  readonly budget?: RenderBudget;
};

export type RenderFailure = {
  readonly ok: false;
  /**
   * `missing`: names that the delivery doesn't have. `fault`: it can't be rendered for another
   * reason.
   */
  readonly code: "missing" | "fault";
  /** One sentence per error; for `missing` every missing name. */
  readonly messages: readonly string[];
  /** The missing name that a message reports, where it is known. */
  readonly names?: ReadonlyMap<string, string>;
};

export type RenderedText = { readonly ok: true; readonly text: string } | RenderFailure;
export type RenderedValue = { readonly ok: true; readonly value: unknown } | RenderFailure;

/** Renders a template to text, with every value encoded for `place`. */
export function renderText(source: string, place: Place, input: RenderInput): RenderedText {
  return attempt(input, (scope) => {
    if (!isTemplate(source))
      return { text: encodeParts([{ kind: "literal", text: source }], place) };
    const emitter = new PartsEmitter(scope.budget);
    const { nodes } = requireCompiled(source);
    toValueSync(liquid.renderer.renderTemplates(nodes, scope, emitter));
    // With a missing name the text is useless, and encoding errors would only follow from that.
    return { text: scope.missing.size > 0 ? "" : encodeParts(emitter.parts, place) };
  });
}

/**
 * Renders a string of a JSON body. A single output `{{ … }}` gives its value unchanged: a number, a
 * list, or null. Anything else gives a string.
 */
export function renderValue(source: string, input: RenderInput): RenderedValue {
  const compiled = isTemplate(source) ? compileTemplate(source) : undefined;
  if (compiled === undefined) return { ok: true, value: source };
  if (compiled.ok && compiled.single !== null) return renderSingle(compiled, input);
  const rendered = renderText(source, "text", input);
  return rendered.ok ? { ok: true, value: rendered.text } : rendered;
}

/** Whether the template is a single output. */
export function isSingleOutput(source: string): boolean {
  const compiled = isTemplate(source) ? compileTemplate(source) : undefined;
  return compiled?.ok === true && compiled.single !== null;
}

function renderSingle(compiled: CompiledTemplate, input: RenderInput): RenderedValue {
  return attempt(input, (scope) => {
    const emitter = new PartsEmitter(scope.budget);
    toValueSync(liquid.renderer.renderTemplates(compiled.nodes, scope, emitter));
    const [part] = emitter.parts;
    return { value: part?.kind === "value" ? toJsonValue(part.value) : null };
  });
}

/** How liquidjs' own objects and our JSON fragments appear in a body. */
function toJsonValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TemplateFault(`the result is ${value}, which is not a number that can be sent`);
  }
  if (value instanceof Drop) return value.valueOf() ?? null;
  return value instanceof JsonFragment ? value.toString() : value;
}

function requireCompiled(source: string): CompiledTemplate {
  const compiled = compileTemplate(source);
  if (!compiled.ok) {
    throw new TemplateFault(
      `line ${compiled.line}, column ${compiled.column}: ${compiled.message}`,
    );
  }
  return compiled;
}

/** liquidjs throws its errors; from here on they are values. */
function attempt<T extends object>(
  input: RenderInput,
  render: (scope: MappingScope) => T,
): (T & { ok: true }) | RenderFailure {
  const { context, nowMs } = input;
  const budget = input.budget ?? new RenderBudget();
  const scope = new MappingScope(liquid, context.names, {
    nowMs,
    budget,
    payloadProblem: context.payloadProblem,
  });
  try {
    const result = render(scope);
    if (scope.missing.size === 0) return { ok: true, ...result };
  } catch (error) {
    if (scope.missing.size === 0) return toFailure(error);
  }
  return missing(scope.missing);
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
