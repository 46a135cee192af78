/**
 * JSON values whose numbers keep the digits they were written with. JavaScript's only number type
 * would change a 23-digit id or the price 1.10.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

/**
 * A JSON number that a JavaScript number can't represent as written: `12345678901234567890123`,
 * `1e400`, `-0`, `1.10`. It compares by its exact decimal value and coerces to the nearest number
 * in arithmetic. It has no own properties, so that templates can't read any; liquidjs looks for the
 * comparison methods.
 */
export class ExactNumber {
  readonly #source: string;
  #decimal: Decimal | undefined;

  /** `source` must be a number in the JSON grammar (RFC 8259 §6). */
  constructor(source: string) {
    if (!isJsonNumber(source)) throw new TypeError("not a JSON number");
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }

  valueOf(): number {
    return Number(this.#source);
  }

  /**
   * Parsed only once, because a number may have millions of digits and may be compared with
   * thousands of others.
   */
  get decimal(): Decimal | undefined {
    this.#decimal ??= readDecimal(this.#source);
    return this.#decimal;
  }

  /** Keeps the digits in `JSON.stringify` if the runtime has `JSON.rawJSON`. */
  toJSON(): unknown {
    const rawJson: unknown = Reflect.get(JSON, "rawJSON");
    return typeof rawJson === "function" ? rawJson.call(JSON, this.#source) : Number(this.#source);
  }

  equals(other: unknown): boolean {
    return typeof other !== "string" && compareNumbers(this, other) === 0;
  }

  gt(other: unknown): boolean {
    return (compareNumbers(this, other) ?? 0) > 0;
  }

  geq(other: unknown): boolean {
    return (compareNumbers(this, other) ?? -1) >= 0;
  }

  lt(other: unknown): boolean {
    return (compareNumbers(this, other) ?? 0) < 0;
  }

  leq(other: unknown): boolean {
    return (compareNumbers(this, other) ?? 1) <= 0;
  }
}

/** True if the text is exactly one JSON number. */
export function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/**
 * Compares two numbers by their exact decimal value; strings count if they are JSON numbers
 * ("10.00"). Negative, zero, or positive as for a sort; undefined if one of them isn't a finite
 * number.
 */
export function compareNumbers(left: unknown, right: unknown): number | undefined {
  // Nearly all are plain numbers, which JavaScript compares exactly.
  if (
    typeof left === "number" &&
    typeof right === "number" &&
    Number.isFinite(left) &&
    Number.isFinite(right)
  )
    return left < right ? -1 : Number(left > right);
  const a = toDecimal(left);
  const b = toDecimal(right);
  if (a === undefined || b === undefined) return undefined;
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude ? a.sign : -a.sign;
  if (a.digits === b.digits) return 0;
  return a.digits > b.digits ? a.sign : -a.sign;
}

/** value = sign × 0.digits × 10^magnitude. The digits have no zeros at either end. */
type Decimal = { readonly sign: -1 | 0 | 1; readonly digits: string; readonly magnitude: number };

function toDecimal(value: unknown): Decimal | undefined {
  if (value instanceof ExactNumber) return value.decimal;
  if (typeof value === "number" ? !Number.isFinite(value) : typeof value !== "string")
    return undefined;
  return readDecimal(String(value));
}

function readDecimal(text: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, minus = "", whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  const digits = trimEndZeros(significant);
  if (digits === "") return { sign: 0, digits, magnitude: 0 };
  const magnitude = whole.length - (all.length - significant.length) + Number(exponent);
  return { sign: minus === "-" ? -1 : 1, digits, magnitude };
}

/** A loop, because /0+$/ takes quadratic time on "000…01". */
export function trimEndZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, end);
}

type JsonLimits = {
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly maxChars: number;
};

/**
 * The error of a value that should be JSON, or null. Iterative: the value may be nested deeper than
 * the stack.
 */
export function describeJsonProblem(value: unknown, limits: JsonLimits): string | null {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let nodes = 0;
  let chars = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const current = next.value;
    nodes += 1;
    if (nodes > limits.maxNodes) return `must hold at most ${limits.maxNodes} values`;
    if (next.depth > limits.maxDepth)
      return `must not be nested deeper than ${limits.maxDepth} levels`;
    if (typeof current === "string") chars += current.length;
    if (chars > limits.maxChars) return `must hold at most ${limits.maxChars} characters`;
    if (isJsonLeaf(current)) continue;
    if (typeof current !== "object" || current === null) return "must be a JSON value";
    if (!Array.isArray(current) && !isPlainObject(current)) return "must be a JSON value";
    for (const [key, child] of Object.entries(current)) {
      if (!Array.isArray(current)) chars += key.length;
      waiting.push({ value: child, depth: next.depth + 1 });
    }
  }
  return null;
}

function isJsonLeaf(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  return value instanceof ExactNumber || (typeof value === "number" && Number.isFinite(value));
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
