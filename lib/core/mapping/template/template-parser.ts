import {
  type Liquid,
  LiquidError,
  ParseError,
  Parser,
  type Token,
  type TopLevelToken,
  TypeGuards,
  Value,
} from "liquidjs";
import { ExactNumber, isJsonNumber } from "#lib/schema/field/json-value.ts";
import { findFormatProblem, findZoneProblem } from "./format-date.ts";
import { CountedFor, ValueOutput } from "./template-nodes.ts";

/** Maximum nesting of tags. Parsing recurses per level. */
const maxNesting = 32;

type Node = ReturnType<Parser["parseToken"]>;

/**
 * Builds our own output nodes, and rejects on save what liquidjs would accept: extra words in an
 * expression (`{{ first name }}` prints only `first`), ranges outside of `for`, and endlessly
 * nested tags.
 */
export class TemplateParser extends Parser {
  readonly #liquid: Liquid;
  #nesting = 0;

  constructor(liquid: Liquid) {
    super(liquid);
    this.#liquid = liquid;
  }

  override parseToken(token: TopLevelToken, remainTokens: TopLevelToken[]): Node {
    try {
      return this.#parseChecked(token, remainTokens);
    } catch (error) {
      // A RangeError (too deep for the stack) has no useful position.
      if (LiquidError.is(error) || error instanceof RangeError || !(error instanceof Error))
        throw error;
      throw new ParseError(error, token);
    }
  }

  #parseChecked(token: TopLevelToken, remainTokens: TopLevelToken[]): Node {
    if (this.#nesting >= maxNesting)
      throw new Error(`tags are nested deeper than ${maxNesting} levels`);
    this.#nesting += 1;
    const node = TypeGuards.isOutputToken(token)
      ? new ValueOutput(token, this.#liquid)
      : super.parseToken(token, remainTokens);
    this.#nesting -= 1;
    checkNode(node);
    return node;
  }
}

function checkNode(node: Node): void {
  if (!("arguments" in node) || typeof node.arguments !== "function") return;
  const args: Iterable<Value | Token> = node.arguments();
  for (const argument of args) {
    if (argument instanceof Value) checkValue(argument);
    else if (node instanceof CountedFor && argument === node.collection) checkLoopList(argument);
    else checkToken(argument);
  }
}

function checkValue(value: Value): void {
  let operands = 0;
  for (const token of value.initial.postfix) {
    if (TypeGuards.isOperatorToken(token)) operands -= token.getText() === "not" ? 0 : 1;
    else operands += 1;
    if (operands < 1) throw new Error("an operator misses a value");
    checkToken(token);
  }
  if (operands !== 1) throw new Error("one value is expected, with filters after a |");
  for (const filter of value.filters) {
    for (const arg of filter.args) checkToken(Array.isArray(arg) ? arg[1] : arg);
    if (filter.name === "date") checkDate(filter.args);
  }
}

type FilterArgs = Value["filters"][number]["args"];

/** A format and a zone that the template says itself are known before any delivery. */
function checkDate([format, zone]: FilterArgs): void {
  const problem = findProblem(format, findFormatProblem) ?? findProblem(zone, findZoneProblem);
  if (problem !== null) throw new Error(problem);
}

function findProblem(
  arg: FilterArgs[number] | undefined,
  find: (text: string) => string | null,
): string | null {
  const isText = arg !== undefined && !Array.isArray(arg) && TypeGuards.isQuotedToken(arg);
  return isText ? find(arg.content) : null;
}

function checkLoopList(token: Token): void {
  const tokens = TypeGuards.isRangeToken(token) ? [token.lhs, token.rhs] : [token];
  for (const part of tokens) checkToken(part);
}

function checkToken(token: Token | undefined): void {
  if (token === undefined) return;
  if (TypeGuards.isRangeToken(token))
    throw new Error("a range such as (1..3) can stand only in a for tag");
  if (TypeGuards.isNumberToken(token)) keepDigits(token);
  if (!TypeGuards.isPropertyAccessToken(token)) return;
  checkToken(token.variable);
  for (const prop of token.props) checkToken(prop);
}

/**
 * A number in the template keeps its digits like one in a payload, so that the two compare exactly.
 */
function keepDigits(token: Token & { content: number }): void {
  const text = token.getText();
  if (String(token.content) !== text && isJsonNumber(text))
    Reflect.set(token, "content", new ExactNumber(text));
}
