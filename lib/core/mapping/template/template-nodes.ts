/**
 * Our own nodes of liquidjs' syntax tree: every place where a value is printed, captured, or looped
 * over.
 */
import {
  AssignTag,
  CaptureTag,
  type Context,
  EchoTag,
  type Emitter,
  evalToken,
  ForTag,
  type Liquid,
  Output,
  type Parser,
  type RangeToken,
  Tag,
  type TagToken,
  type Token,
  type TopLevelToken,
  TypeGuards,
  toValueSync,
  UndefinedVariableError,
  type Value,
} from "liquidjs";
import { MappingScope, MissingItem, MissingNameError } from "./mapping-scope.ts";
import { joinParts, PartsEmitter } from "./parts-emitter.ts";
import { TemplateFault } from "./render-budget.ts";

/**
 * `{{ … }}`: passes the value itself to the emitter, and continues after a missing name to find the
 * others.
 */
export class ValueOutput extends Output {
  // biome-ignore lint/correctness/useYield: liquidjs requires a generator
  override *render(ctx: Context, emitter: Emitter): IterableIterator<unknown> {
    const outcome = evaluate(this.value, toScope(ctx));
    if (outcome.found) writeValue(emitter, outcome.value);
  }
}

/** `{% echo … %}` and the `echo` of `{% liquid %}`. */
export class ValueEcho extends EchoTag {
  // biome-ignore lint/correctness/useYield: liquidjs requires a generator
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    for (const argument of this.arguments()) {
      const outcome = evaluate(argument as Value, toScope(ctx));
      if (outcome.found) writeValue(emitter, outcome.value);
    }
  }
}

/** liquidjs lets `assign` store null for a missing name. Here it is missing, as everywhere else. */
export class StrictAssign extends AssignTag {
  // biome-ignore lint/correctness/useYield: liquidjs requires a generator
  override *render(ctx: Context): Generator<unknown, void, unknown> {
    const scope = toScope(ctx);
    for (const name of this.localScope()) {
      for (const argument of this.arguments()) {
        const outcome = evaluate(argument as Value, scope, { keepsMissingItem: true });
        Reflect.set(ctx.bottom(), name.content, outcome.found ? outcome.value : "");
      }
    }
  }
}

/** Captures plain text: it is encoded when the captured name is printed. */
export class CountedCapture extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const scope = toScope(ctx);
    const emitter = new PartsEmitter(scope.budget);
    yield this.liquid.renderer.renderTemplates(this.templates, ctx, emitter);
    Reflect.set(ctx.bottom(), this.variable, joinParts(emitter.parts, scope.budget));
  }
}

/** A loop whose list is charged to the budget before it is created. */
export class CountedFor extends ForTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, undefined, never> {
    const scope = toScope(ctx);
    if (!this.#count(scope)) return;
    yield super.render(ctx, emitter);
  }

  #count(scope: MappingScope): boolean {
    const { collection } = this;
    if (TypeGuards.isRangeToken(collection)) {
      const range = collection;
      return recordIfMissing(scope, () => countRange(range, scope));
    }
    return recordIfMissing(scope, () => {
      const list: unknown = toValueSync(evalToken(collection, scope));
      if (typeof list === "object" && list !== null) {
        scope.budget.use(
          Array.isArray(list) ? list.length : Object.keys(list).length * unitsPerPair,
        );
      }
    });
  }
}

/** Rejects tags with the reason, where liquidjs would only say "not found". */
export class DisabledTag extends Tag {
  constructor(token: TagToken, remainTokens: TopLevelToken[], liquid: Liquid, _parser: Parser) {
    super(token, remainTokens, liquid);
    throw new Error(`the tag ${token.name} can't be used here`);
  }

  override render(): never {
    throw new TemplateFault("this tag can't be used here");
  }
}

/** liquidjs makes a pair of every property, at some 300 ns each, before it applies `limit`. */
const unitsPerPair = 20;

/** A range past 2^53 would never end, because adding 1 no longer changes the number. */
const maxRangeEnd = 1e12;
const maxRangeLength = 10_000;

function countRange(range: RangeToken, scope: MappingScope): void {
  const low = Number(toValueSync(evalToken(range.lhs, scope)));
  const high = Number(toValueSync(evalToken(range.rhs, scope)));
  const isWhole = Number.isInteger(low) && Number.isInteger(high);
  if (!isWhole || Math.abs(low) > maxRangeEnd || Math.abs(high) > maxRangeEnd) {
    throw new TemplateFault("a range goes from one whole number to another");
  }
  if (high - low >= maxRangeLength)
    throw new TemplateFault(`a range holds at most ${maxRangeLength} numbers`);
  scope.budget.use(high - low + 1);
}

type Outcome = { readonly found: true; readonly value: unknown } | { readonly found: false };

/** @param options `keepsMissingItem`: an item that isn't there fails where it is used, and not before a condition */
function evaluate(value: Value, scope: MappingScope, { keepsMissingItem = false } = {}): Outcome {
  // liquidjs only checks the first filter; `{{ name | strip | default: "x" }}` should use the
  // fallback too.
  const hasDefault = value.filters.some((filter) => filter.name === "default");
  let result: unknown;
  const found = recordIfMissing(scope, () => {
    result = toValueSync(value.value(scope, hasDefault));
  });
  if (result instanceof MissingItem && (result.isName || !keepsMissingItem)) {
    scope.recordMissing(new MissingNameError(result.message, null));
    return { found: false };
  }
  if (found) return { found, value: result };
  for (const token of listTokens(value, hasDefault)) {
    recordIfMissing(scope, () => toValueSync(evalToken(token, scope)));
  }
  return { found };
}

/** Every name in the expression and its filters, so that each can be looked up. */
function listTokens(value: Value, hasDefault: boolean): Token[] {
  const filterTokens = value.filters.flatMap((filter) =>
    filter.args.flatMap((arg) => (Array.isArray(arg) ? (arg[1] ?? []) : arg)),
  );
  const tokens = hasDefault ? filterTokens : [...value.initial.postfix, ...filterTokens];
  return tokens.filter((token) => TypeGuards.isPropertyAccessToken(token));
}

function recordIfMissing(scope: MappingScope, read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof UndefinedVariableError)) throw error;
    scope.recordMissing(error.originalError);
    return false;
  }
}

function writeValue(emitter: Emitter, value: unknown): void {
  if (!(emitter instanceof PartsEmitter)) throw new TemplateFault("values can't be printed here");
  emitter.writeValue(value);
}

function toScope(ctx: Context): MappingScope {
  if (!(ctx instanceof MappingScope))
    throw new TypeError("templates render in a MappingScope only");
  return ctx;
}
