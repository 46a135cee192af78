import { nextHops } from "#lib/core/http/hops.ts";
import type { DistinctHeaders } from "#lib/core/http/http-types.ts";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import type { JsonValue } from "#lib/schema/json-value.ts";

/** The names that a delivery's templates and filters can use. Made by `buildMappingContext`. */
export type MappingContext = {
  /** No prototype: every property is a name. */
  readonly names: Readonly<Record<string, unknown>>;
  /** Why there is no `payload`, as a clause; null if there is one. */
  readonly payloadProblem: string | null;
  /** The length of the body as text, or an estimate. */
  readonly payloadChars: number;
  /** How many hooks precede a call for this delivery. */
  readonly hops: number;
  /** The delivery as received, for forwarding. */
  readonly raw: RawDelivery;
};

export type RawDelivery = {
  readonly method: string;
  /** As received, with or without the `?`. A repeated name gives a list. */
  readonly query: string;
  /** In their original order and letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes as sent, possibly compressed. */
  readonly body: Uint8Array;
};

export type MappingInput = {
  /** The delivery's body as text, to be parsed as exact JSON. */
  readonly payloadText?: string;
  /** Or the parsed view of a body that isn't JSON (such as a form); replaces `payloadText`. */
  readonly payload?: JsonValue;
  /** The length of the body behind `payload`. That of `payloadText` is known. */
  readonly payloadChars?: number;
  readonly raw: RawDelivery;
  /** `rawBody`: the body as decoded text; null if it isn't UTF-8. Read when a template uses it. */
  readonly readRawBody: () => string | null;
  readonly headers: DistinctHeaders;
  readonly path: string;
  readonly delivery: {
    readonly id: string;
    /** UTC, ISO 8601. */
    readonly receivedAt: string;
    readonly eventId: string | null;
    readonly eventType: string | null;
    readonly isSample: boolean;
  };
  readonly hook: { readonly id: string; readonly name: string };
};

/**
 * Never fails: a body that isn't JSON, or is nested too deep, gives a context without `payload`.
 * Actions that don't use it still run, and the others say why it is missing.
 */
export function buildMappingContext(input: MappingInput): MappingContext {
  const { payload, problem } = readPayload(input);
  const names: Record<string, unknown> = Object.assign(Object.create(null), {
    headers: readHeaders(input.headers),
    query: readQuery(input.raw.query),
    path: input.path,
    method: input.raw.method,
    delivery: { ...input.delivery },
    hook: { ...input.hook },
  });
  let rawBody: { readonly text: string | null } | undefined;
  const readRawBody = () => {
    rawBody ??= { text: input.readRawBody() };
    return rawBody.text ?? undefined;
  };
  Object.defineProperty(names, "rawBody", { enumerable: true, get: readRawBody });
  if (payload !== undefined) Object.assign(names, { payload }, readTopLevel(payload));
  const payloadChars = input.payloadChars ?? input.payloadText?.length ?? input.raw.body.byteLength;
  return {
    names,
    payloadProblem: problem,
    payloadChars,
    hops: nextHops(input.headers),
    raw: input.raw,
  };
}

function readPayload(input: MappingInput): {
  payload: JsonValue | undefined;
  problem: string | null;
} {
  if (input.payload !== undefined) return { payload: input.payload, problem: null };
  if (input.payloadText === undefined)
    return { payload: undefined, problem: "the body of this delivery has no parsed view" };
  const parsed = parseExactJson(input.payloadText);
  return parsed.ok
    ? { payload: parsed.value, problem: null }
    : { payload: undefined, problem: parsed.message };
}

function readTopLevel(payload: JsonValue): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return found;
  for (const name of ["id", "type", "data"]) {
    if (Object.hasOwn(payload, name)) found[name] = Reflect.get(payload, name);
  }
  return found;
}

function readHeaders(headers: DistinctHeaders): Record<string, string> {
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
