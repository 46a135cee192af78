import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";

/**
 * The limit is ten times as deep as anything ever seen. Deeper JSON isn't parsed: the parser takes
 * 2 s for ten megabytes of `[`.
 */
export const maxPayloadDepth = 1_000;
/** More than any body needs: each line costs more than the same bytes of one JSON text. */
const maxLines = 100_000;

/** JSON as it was sent, for exact numbers, and its value. */
export type JsonText = { readonly text: string; readonly value: unknown };

/** Why a text has no value. */
type JsonFault = "invalid" | "too_deep" | "too_many_lines";

export function parseJsonText(text: string): JsonText | JsonFault {
  if (isDeeperThan(text, maxPayloadDepth)) return "too_deep";
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return "invalid";
  }
}

/** Null: the text isn't a JSON object or list, perhaps after a byte order mark. */
export function parseContainer(text: string): JsonText | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const parsed = parseJsonText(text.replace(/^\ufeff/, ""));
  return typeof parsed === "string" ? null : parsed;
}

/**
 * A list of JSON texts, one per line, or each after a record separator (RFC 7464). A single text may
 * take several lines.
 */
export function parseLines(text: string): JsonText | JsonFault {
  const separator = text.includes(recordSeparator) ? recordSeparator : /\r?\n|\r/;
  const lines = text.split(separator, maxLines + 1).filter((line) => line.trim() !== "");
  if (lines.length > maxLines) return "too_many_lines";
  const values: unknown[] = [];
  for (const line of lines) {
    const parsed = parseJsonText(line);
    if (typeof parsed === "string") return parseOne(text);
    values.push(parsed.value);
  }
  return { text: `[${lines.join(",")}]`, value: values };
}

const recordSeparator = "\x1e";

function parseOne(text: string): JsonText | JsonFault {
  const parsed = parseJsonText(text.replaceAll(recordSeparator, " "));
  return typeof parsed === "string" ? parsed : { text: `[${parsed.text}]`, value: [parsed.value] };
}

/** Longer bodies that begin like a number or a word aren't JSON, and reading them would cost something. */
const maxScalarBytes = 1_024;

/**
 * The kinds of a body by its first character: a JSON object or list, another JSON value, or no JSON
 * (null). Reads nothing else of it.
 */
export function guessJson(bytes: Uint8Array): "container" | "scalar" | null {
  const first = firstByte(bytes);
  if (first === brace || first === bracket) return "container";
  if (first === quote) return "scalar";
  return scalarStarts.has(first) && bytes.byteLength <= maxScalarBytes ? "scalar" : null;
}

/** The first character that isn't white space, after a byte order mark. 0 for an empty body. */
export function firstByte(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (blanks.has(bytes[at] ?? 0)) at += 1;
  return bytes[at] ?? 0;
}

const [brace, bracket, quote] = Buffer.from('{["');
const scalarStarts = new Set(Buffer.from("-0123456789tfn"));
const blanks = new Set(Buffer.from(" \t\r\n"));
