import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { decodeStart } from "#lib/core/mapping/payload/decode-text.ts";
import { readTextBody } from "#lib/core/mapping/payload/text-of-body.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { StepError, StepOutcome } from "./kinds/step-kind.ts";

/** The part of a response's body that later steps can read. */
const maxBodyBytes = 64 * 1024;
/** The limit for all results of a run. Those beyond it have no body, not even null: a template fails then. */
const maxRunChars = 512 * 1024;

export type StepResponse = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text: it was decoded when it was stored. Null: it is binary, and only its size is stored. */
  readonly body: Uint8Array | string | null;
  readonly truncated: boolean;
};

/**
 * The result of a call that later steps see, as JSON text: `{status, headers, body, value, error}`.
 * A JSON body is its value, with the digits of its numbers; any other is text. A body that was cut
 * is text, and `bodyTruncated` is true. A binary body is missing, and `bodyBinary` is true: a template that reads
 * it fails, instead of sending U+FFFD. The call's own credentials are redacted, in case the receiver repeats
 * them.
 *
 * @param usedChars the length of the results that the run has already
 */
export function toCallResult(
  response: StepResponse | null,
  error: StepError | null,
  secretValues: readonly string[],
  usedChars: number,
): string {
  if (response === null) return write({ status: null, headers: {}, body: null, error });
  const { isCut, ...names } = readResponseParts(response, secretValues);
  const { status, headers } = names;
  const cut = isCut ? { bodyTruncated: true } : {};
  const result = isBinary(response)
    ? write({ status, headers, error, ...cut, bodyBinary: true })
    : write({ ...names, error, ...cut });
  if (usedChars + result.length <= maxRunChars) return result;
  return write({ status, headers: {}, bodyTruncated: true, error });
}

/** The fields of a response that a success rule reads, also of one that isn't text. */
export function readResponseParts(response: StepResponse, secretValues: readonly string[]) {
  const { status, body } = response;
  const isCut = response.truncated || countBytes(body) > maxBodyBytes;
  const headers: Record<string, string> = Object.create(null);
  for (const [sentName, value] of response.headers) {
    const name = sentName.toLowerCase();
    const shown = redactText(value, secretValues);
    headers[name] = headers[name] === undefined ? shown : `${headers[name]}, ${shown}`;
  }
  const text = redactText(toText(response), secretValues);
  return { status, headers, body: isCut ? text : readBody(text), isCut };
}

/**
 * The result of a step without a response, as later steps see it in a run, a backtest, and a preview. One that
 * was skipped or failed has no `value`, so a template that reads it fails and sends no null.
 */
export function toStepResult(outcome: StepOutcome): JsonValue {
  switch (outcome.state) {
    case "succeeded":
      return { value: outcome.value, error: null };
    case "skipped":
      return { skipped: true, error: null };
    case "failed":
      return { error: { code: outcome.code, message: outcome.message } };
    default:
      return outcome satisfies never;
  }
}

export function writeStepResult(outcome: StepOutcome): string {
  return write(toStepResult(outcome));
}

function isBinary(response: StepResponse): boolean {
  const { body } = response;
  if (body === null || typeof body === "string") return body === null;
  return readTextBody(body.subarray(0, maxBodyBytes), typeOf(response)) === null;
}

function countBytes(body: StepResponse["body"]): number {
  return body === null ? 0 : Buffer.byteLength(body);
}

function typeOf({ headers }: StepResponse): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

/** By the charset of its type. A character that the cut splits is left out. */
function toText(response: StepResponse): string {
  const { body } = response;
  const start = typeof body === "string" ? Buffer.from(body) : (body ?? new Uint8Array(0));
  const type = typeof body === "string" ? null : typeOf(response);
  return decodeStart(start.subarray(0, maxBodyBytes), type).replaceAll("\0", "\u{fffd}");
}

function readBody(text: string): JsonValue {
  if (text === "") return null;
  const parsed = parseExactJson(text);
  return parsed.ok ? parsed.value : text;
}

/** PostgreSQL's text can't have NUL, which JSON escapes. */
function write(value: unknown): string {
  const written = stringifyExactJson(value);
  return written.ok ? written.text : '{"status":null,"headers":{},"body":null,"error":null}';
}
