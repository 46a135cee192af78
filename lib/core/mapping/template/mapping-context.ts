import { once } from "#lib/base/once.ts";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** The names that a delivery's templates and filters can use, created by `buildMappingContext`. */
export type MappingContext = {
  /** No prototype: every property is a name. */
  readonly names: Readonly<Record<string, unknown>>;
  /** One of `names`. Undefined: no such name. */
  readonly readName: (name: string | number) => unknown;
  /** The reason why `payload` is missing, as a clause. Null if it is there. */
  readonly payloadProblem: string | null;
  /** True if the body has bytes that are no text in its charset. U+FFFD stands for them, and isn't sent. */
  readonly isDamaged: boolean;
  /** The length of the body as text, or an estimate. */
  readonly payloadChars: number;
  /** The number of hooks before a call for this delivery. */
  readonly hops: number;
  /** The delivery as received, for forwarding. */
  readonly raw: RawDelivery;
};

export type RawDelivery = {
  readonly method: string;
  /** The query as received, with or without the `?`. A repeated name produces a list. */
  readonly query: string;
  /** Headers in their original order and letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes as sent, possibly compressed. */
  readonly body: Uint8Array;
};

export type MappingInput = {
  /** The delivery's body as text, to be parsed as exact JSON. */
  readonly payloadText?: string;
  /** The parsed view of a body that isn't JSON (such as a form). It replaces `payloadText`. */
  readonly payload?: JsonValue;
  /** The reason, as a sentence, why there is neither. */
  readonly payloadProblem?: string;
  /** The length of the body behind `payload`. The length of `payloadText` is known. */
  readonly payloadChars?: number;
  /** Default: false. */
  readonly isDamaged?: boolean;
  readonly raw: RawDelivery;
  /** `rawBody`: the body as decoded text; null if it isn't UTF-8. Read when a template uses it. */
  readonly readRawBody: () => string | null;
  /** Read when a template uses them. */
  readonly readHeaders: () => DistinctHeaders;
  /** The result of `nextHops`. */
  readonly hops: number;
  readonly path: string;
  /** Read when a template uses it. */
  readonly readDelivery: () => DeliveryNames;
  readonly hook: { readonly id: string; readonly name: string };
};

type DeliveryNames = {
  readonly id: string;
  /** The time in UTC, as ISO 8601. */
  readonly receivedAt: string;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly isSample: boolean;
};

/**
 * Never fails: a body that isn't JSON, or is nested too deep, gives a context without `payload`.
 * Actions that don't use it still run, and the others report why it is missing.
 */
export function buildMappingContext(input: MappingInput): MappingContext {
  const { payload, problem } = readPayload(input);
  return new DeliveryContext(input, payload, problem);
}

/** Most actions only use the payload, so the other names are read when one of them is used. */
class DeliveryContext implements MappingContext {
  readonly payloadChars: number;
  readonly hops: number;
  readonly isDamaged: boolean;
  readonly raw: RawDelivery;
  readonly payloadProblem: string | null;
  readonly #input: MappingInput;
  readonly #payload: JsonValue | undefined;
  #names: Readonly<Record<string, unknown>> | undefined;

  constructor(input: MappingInput, payload: JsonValue | undefined, problem: string | null) {
    this.payloadChars =
      input.payloadChars ?? input.payloadText?.length ?? input.raw.body.byteLength;
    this.hops = input.hops;
    this.isDamaged = input.isDamaged ?? false;
    this.raw = input.raw;
    this.payloadProblem = problem;
    this.#input = input;
    this.#payload = payload;
  }

  get names(): Readonly<Record<string, unknown>> {
    this.#names ??= collectNames(this.#input, this.#payload);
    return this.#names;
  }

  readName(name: string | number): unknown {
    if (name === "payload") return this.#payload;
    if (isTopLevelName(name)) return readTopLevel(this.#payload, name);
    return Object.hasOwn(this.names, name) ? this.names[name] : undefined;
  }
}

function collectNames(
  input: MappingInput,
  payload: JsonValue | undefined,
): Readonly<Record<string, unknown>> {
  const names: Record<string, unknown> = Object.assign(Object.create(null), {
    headers: joinHeaders(input.readHeaders()),
    query: readQuery(input.raw.query),
    path: input.path,
    method: input.raw.method,
    delivery: input.readDelivery(),
    hook: { ...input.hook },
  });
  const rawBody = once(() => input.readRawBody() ?? undefined);
  Object.defineProperty(names, "rawBody", { enumerable: true, get: rawBody });
  if (payload === undefined) return names;
  names.payload = payload;
  for (const name of topLevelNames) {
    const value = readTopLevel(payload, name);
    if (value !== undefined) names[name] = value;
  }
  return names;
}

function readPayload(input: MappingInput): {
  payload: JsonValue | undefined;
  problem: string | null;
} {
  if (input.payload !== undefined) return { payload: input.payload, problem: null };
  if (input.payloadText === undefined)
    return { payload: undefined, problem: toClause(input.payloadProblem ?? noView) };
  const parsed = parseExactJson(input.payloadText);
  return parsed.ok
    ? { payload: parsed.value, problem: null }
    : { payload: undefined, problem: parsed.message };
}

const noView = "The body of this delivery has no parsed view.";

function toClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/** Fields of the payload that templates can name without `payload.`. */
const topLevelNames = ["id", "type", "data"] as const;
type TopLevelName = (typeof topLevelNames)[number];

function isTopLevelName(name: string | number): name is TopLevelName {
  return name === "id" || name === "type" || name === "data";
}

function readTopLevel(payload: JsonValue | undefined, name: TopLevelName): unknown {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return undefined;
  return Object.hasOwn(payload, name) ? Reflect.get(payload, name) : undefined;
}

function joinHeaders(headers: DistinctHeaders): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, values] of Object.entries(headers)) {
    if (values !== undefined) joined[name.toLowerCase()] = values.join(", ");
  }
  return joined;
}

function readQuery(query: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = Object.create(null);
  const params = new URLSearchParams(query);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    const [only] = values;
    read[name] = values.length === 1 && only !== undefined ? only : values;
  }
  return read;
}
