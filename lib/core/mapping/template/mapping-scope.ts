import { Context, Drop, type Liquid } from "liquidjs";
import { shorten } from "#lib/base/shorten.ts";
import { foldHeaderNames, readStep } from "#lib/core/mapping/json/read-value.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { writePath } from "#lib/schema/field/value-path.ts";
import { type RenderBudget, TemplateFault } from "./render-budget.ts";

/** The top-level names of every template; the last three come from the payload. */
const rootNames = [
  "payload",
  "rawBody",
  "headers",
  "query",
  "path",
  "method",
  "delivery",
  "hook",
  "id",
  "type",
  "data",
];

/**
 * The properties of a `for` loop that templates may read. Nothing else of liquidjs' own objects is
 * accessible.
 */
const forloopNames = new Set(["index", "index0", "rindex", "rindex0", "first", "last", "length"]);

/** The search stops after this many names: each costs a pass over the template's source. */
const maxMissingNames = 20;

/**
 * A missing name. liquidjs recognizes it by its `name` and, under `default` or in a condition, uses
 * null instead.
 */
export class MissingNameError extends Error {
  override readonly name = "InternalUndefinedVariableError";
  /** The name as written in a template: `data.items[0]`. Null: unknown. */
  readonly missingName: string | null;

  constructor(message: string, missingName: string | null) {
    super(message);
    this.missingName = missingName;
  }
}

/**
 * The result of a filter if no item of a list has a name (`map: "prise"`), or a list has no such item (`first`). It
 * fails like a missing name where it is used. `default` replaces it, and a condition takes it as null.
 */
export class MissingItem extends Drop {
  readonly message: string;
  /** A name that no item has is written wrongly, so it fails even if it is only assigned. */
  readonly isName: boolean;

  constructor(message: string, isName: boolean) {
    super();
    this.message = message;
    this.isName = isName;
  }

  override valueOf(): null {
    return null;
  }
}

type Key = string | number | Drop;

/**
 * Everything that a template can read: own properties of plain data, list items, `size`, `first`,
 * and `last` of lists, and `size` of text. No method is ever called and no prototype ever read,
 * which is stricter than liquidjs' `ownPropertyOnly`: that still calls functions and reads the
 * prototypes of its own objects (`forloop.constructor`).
 */
export class MappingScope extends Context {
  readonly nowMs: number;
  readonly budget: RenderBudget;
  /** Each message once, with the name that it reports. */
  readonly missing = new Map<string, string | null>();
  readonly #payloadProblem: string | null;
  readonly #isDamaged: boolean;

  constructor(liquid: Liquid, names: object, options: ScopeOptions) {
    // liquidjs' Limiter class isn't exported; these are the two methods that it calls.
    const limits = { memoryLimit: options.budget, renderLimit: options.budget, liquid };
    super(
      names,
      liquid.options,
      { sync: true },
      limits as unknown as ConstructorParameters<typeof Context>[3],
    );
    this.nowMs = options.nowMs;
    this.budget = options.budget;
    this.#payloadProblem = options.payloadProblem;
    this.#isDamaged = options.isDamaged;
  }

  /** Remembers a missing name, so that a run can report all of them at once. */
  recordMissing(error: Error | undefined): void {
    const name = error instanceof MissingNameError ? error.missingName : null;
    this.missing.set(error?.message ?? "a name is missing", name);
    if (this.missing.size >= maxMissingNames) throw new TemplateFault("more names are missing");
    this.budget.use(100_000);
  }

  override *_get(paths: Key[]): IterableIterator<unknown> {
    const [first, ...rest] = paths;
    const name = toKey(first);
    if (name === undefined) throw new MissingNameError("the value in [ ] is not a name", null);
    return yield* super._get([String(name), ...rest]);
  }

  // biome-ignore lint/correctness/useYield: liquidjs requires a generator
  override *_getFromScope(
    scope: unknown,
    paths: Key[] | string,
    isStrict: boolean = this.strictVariables,
  ): IterableIterator<unknown> {
    const keys = foldHeaders(typeof paths === "string" ? paths.split(".") : paths);
    let current = scope;
    for (const [at, key] of keys.entries()) {
      const next = readOwn(current, toKey(key));
      if (next === undefined && isStrict)
        throw new MissingNameError(this.#describeMissing(keys, at, current), formatPath(keys));
      if (next === undefined) return undefined;
      current = next;
    }
    if (
      this.#isDamaged &&
      !ofRequest.has(String(toKey(keys[0]))) &&
      isDamaged(current, this.budget)
    )
      throw new TemplateFault(`${formatPath(keys)} ${damaged}`);
    return current;
  }

  override readProperty(owner: object, key: Key): unknown {
    return readOwn(owner, toKey(key));
  }

  #describeMissing(keys: readonly Key[], at: number, parent: unknown): string {
    const root = String(toKey(keys[0]));
    const name = formatPath(keys);
    if (root === "steps" && at > 0) {
      const step = formatPath(keys.slice(0, 2));
      if (at === 1) return `${step} is not there: no earlier step with this key has ended`;
      const why = at === 2 ? describeOutcome(parent) : null;
      return why === null
        ? `${name} is not in the outcome of this step`
        : `${name} is not there: ${step} ${why}`;
    }
    if (root === "item" && at > 0) return `${name} is not in this item`;
    if (at === 0 && ["steps", "item", "index"].includes(root))
      return `${name} is not there: only a step ${root === "steps" ? "" : "with forEach "}has it`;
    if (at === 0 && !rootNames.includes(root)) {
      return `${name} is not there: a name starts with ${rootNames.slice(0, -1).join(", ")} or ${rootNames.at(-1)}`;
    }
    if (root === "rawBody")
      return `${name} is not there: the body is not UTF-8 text. Forward the delivery's body to send its bytes`;
    const place = ["headers", "query", "path", "method", "delivery"].includes(root)
      ? "delivery"
      : "payload";
    if (this.#payloadProblem !== null && place === "payload")
      return `${name} is not there: ${this.#payloadProblem}`;
    const prefix = formatPath(keys.slice(0, parent === null ? at : at + 1));
    const why =
      parent === null
        ? ` (${prefix} is null)`
        : at < keys.length - 1
          ? ` (there is no ${prefix})`
          : "";
    return `${name} is not in this ${place}${why}`;
  }
}

/** The end of a step that gave no value. Null: it gave one. */
function describeOutcome(result: unknown): string | null {
  if (readOwn(result, "skipped") === true) return "was skipped";
  if (readOwn(result, "bodyBinary") === true) return "got a binary body, which isn't text";
  const message = readOwn(readOwn(result, "error"), "message");
  return typeof message === "string" ? `failed: ${shorten(message, maxReasonChars)}` : null;
}

const maxReasonChars = 200;

type ScopeOptions = {
  /** `now` for the `date` filters. */
  readonly nowMs: number;
  readonly budget: RenderBudget;
  /** The reason why there is no payload, if it is missing. */
  readonly payloadProblem: string | null;
  /** True if U+FFFD stands for bytes of the payload that are no text. */
  readonly isDamaged: boolean;
};

const damaged =
  "has bytes that are not text in the character set of the body, which is UTF-8 unless its Content-Type " +
  "declares another one. Ask the provider to declare it, or forward the delivery's body to send its bytes";

/** Names that don't come from the body. */
const ofRequest = new Set(["headers", "query", "path", "method", "delivery", "hook", "steps"]);

/** True if a text or a name in the value has U+FFFD. */
function isDamaged(value: unknown, budget: RenderBudget): boolean {
  budget.use(1);
  if (typeof value === "string") return value.includes("\ufffd");
  if (Array.isArray(value)) return value.some((item) => isDamaged(item, budget));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return false;
  if (value instanceof Drop) return false;
  return Object.entries(value).some(
    ([name, item]) => name.includes("\ufffd") || isDamaged(item, budget),
  );
}

/** Follows one step of a path in a template, where a value may be liquidjs' own. Undefined: missing. */
export function readOwn(owner: unknown, key: string | number | undefined): unknown {
  if (key === undefined) return undefined;
  return owner instanceof Drop ? readFromForloop(owner, String(key)) : readStep(owner, key);
}

function readFromForloop(drop: Drop, key: string): unknown {
  if (!forloopNames.has(key)) return undefined;
  const member: unknown = Reflect.get(drop, key);
  return typeof member === "function" ? member.call(drop) : member;
}

function foldHeaders(keys: Key[]): Key[] {
  const [root] = keys;
  if (root !== "headers" && root !== "steps") return keys;
  return [...foldHeaderNames(keys.map((key) => toKey(key) ?? ""))];
}

function toKey(key: unknown): string | number | undefined {
  if (typeof key === "string" || typeof key === "number") return key;
  return key instanceof ExactNumber ? key.valueOf() : undefined;
}

/** How much of a name an error shows. */
const maxNameChars = 80;

/** Writes a path as in a template: `data.items[0].price` and `headers["x y"]`. */
function formatPath(keys: readonly unknown[]): string {
  const steps = keys.map(toKey).map((key) => key ?? "");
  return writePath(
    steps.map((step) => (typeof step === "number" ? step : shorten(step, maxNameChars))),
  );
}
