import { LiquidError, type Template, TypeGuards } from "liquidjs";
import { liquid } from "./liquid-engine.ts";
import { type PlainTemplate, readPlainTemplate } from "./plain-template.ts";
import { ValueOutput } from "./template-nodes.ts";
import { TemplateParser } from "./template-parser.ts";

/** The maximum length of one template. */
const maxTemplateChars = 64 * 1024;

export type TemplateProblem = {
  readonly ok: false;
  /** The line, starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** The text between the tags of a template, outside of all blocks, with its start in the source. */
export function listLiterals(source: string): { readonly index: number; readonly text: string }[] {
  const compiled = compileTemplate(source);
  if (!compiled.ok) return [];
  return compiled.nodes.flatMap(({ token }) =>
    TypeGuards.isHTMLToken(token)
      ? [{ index: token.begin + token.trimLeft, text: token.getContent() }]
      : [],
  );
}

export type CompiledTemplate = {
  readonly ok: true;
  readonly nodes: Template[];
  /** The template is a single output, so its value keeps its type. */
  readonly single: ValueOutput | null;
  readonly plain: PlainTemplate | null;
};

/**
 * The position where a template is invalid. Rendering errors depend on the delivery and can't be
 * known here.
 */
export function checkTemplate(source: string): { readonly ok: true } | TemplateProblem {
  const compiled = compileTemplate(source);
  return compiled.ok ? { ok: true } : compiled;
}

/**
 * Parses a template. The result is cached by the source, on which alone it depends: a worker
 * renders the same few actions thousands of times a second.
 */
export function compileTemplate(source: string): CompiledTemplate | TemplateProblem {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  const compiled = parse(source);
  if (compiled.ok) remember(source, compiled);
  return compiled;
}

/** True if the text contains any Liquid. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

const remembered = new Map<string, CompiledTemplate>();
const maxRememberedChars = 1024 * 1024;
let rememberedChars = 0;

function remember(source: string, compiled: CompiledTemplate): void {
  // A parsed source takes some fifty times its length. Clearing everything is simpler than
  // eviction, and rarely happens.
  if (rememberedChars + source.length > maxRememberedChars) {
    remembered.clear();
    rememberedChars = 0;
  }
  remembered.set(source, compiled);
  rememberedChars += source.length;
}

function parse(source: string): CompiledTemplate | TemplateProblem {
  if (source.length > maxTemplateChars) {
    return {
      ok: false,
      line: 1,
      column: 1,
      message: `a template has at most ${maxTemplateChars} characters`,
    };
  }
  try {
    const nodes = new TemplateParser(liquid).parse(source);
    const [first] = nodes;
    return {
      ok: true,
      nodes,
      single: nodes.length === 1 && first instanceof ValueOutput ? first : null,
      plain: readPlainTemplate(nodes),
    };
  } catch (error) {
    return toProblem(error);
  }
}

function toProblem(error: unknown): TemplateProblem {
  if (LiquidError.is(error)) {
    const [line = 1, column = 1] = error.token.getPosition();
    const message = (error.originalError?.message ?? error.message).replace(
      /, line:\d+, col:\d+$/,
      "",
    );
    return {
      ok: false,
      line,
      column,
      message: message.replace(/^undefined filter: (.*)$/, "there is no filter $1"),
    };
  }
  // A RangeError: brackets nested deeper than the stack. Others are our own, thrown without a
  // position.
  const message =
    error instanceof RangeError
      ? "the expression is nested too deep"
      : String((error as Error).message);
  return { ok: false, line: 1, column: 1, message };
}
