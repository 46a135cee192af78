/**
 * Replaces known secrets with `[redacted]`, including percent-encoded, form-encoded, JSON-escaped,
 * HTML-escaped, and base64 ones (also inside a longer base64 text), overlapping ones, and one that
 * is truncated at the end of the text.
 *
 * @param secretValues in clear. Skips those under 4 characters, since they would match any text.
 */
export function redactText(text: string, secretValues: readonly string[]): string {
  if (secretValues.length === 0) return text;
  return replaceNeedles(text, listNeedles(secretValues));
}

/**
 * An action's secrets are the same list for all its calls, and each call has some twenty texts to
 * redact.
 */
const knownNeedles = new WeakMap<readonly string[], readonly string[]>();

function listNeedles(secretValues: readonly string[]): readonly string[] {
  const known = knownNeedles.get(secretValues);
  if (known !== undefined) return known;
  const needles = secretValues.flatMap(spellings);
  knownNeedles.set(secretValues, needles);
  return needles;
}

/** Like `redactText`, for bytes. All other bytes stay unchanged. */
export function redactBytes(bytes: Uint8Array, secretValues: readonly string[]): Uint8Array {
  const needles = secretValues
    .flatMap(spellings)
    .map((needle) => Buffer.from(needle).toString("latin1"));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const redacted = replaceNeedles(text, needles);
  return redacted === text ? bytes : Buffer.from(redacted, "latin1");
}

/**
 * Replaces JSON strings that equal a secret. Strings that only contain it stay unchanged, since the
 * body is forwarded and a short secret may occur in other words and numbers.
 *
 * @param secretValues in clear, of any length
 */
export function redactStringValues(json: Uint8Array, secretValues: readonly string[]): Uint8Array {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("latin1");
  const redacted = text.replaceAll(jsonString, (literal) =>
    secretValues.includes(readString(literal)) ? `"${redactionMark}"` : literal,
  );
  return redacted === text ? json : Buffer.from(redacted, "latin1");
}

/** A JSON string, without backtracking. */
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** Decodes a JSON string with escapes such as `\/` and `\u2603`. */
function readString(literal: string): string {
  const text = Buffer.from(literal, "latin1").toString("utf8");
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    // Not a valid JSON string.
    return "";
  }
}

export const redactionMark = "[redacted]";

const minSecretLength = 4;

/** If a mark contains a secret, or completes one with the text around it, the next mark is used. */
const marks = [redactionMark, "***", ""] as const;

function replaceNeedles(text: string, needles: readonly string[]): string {
  const spans = mergeSpans(needles.flatMap((needle) => findSpans(text, needle)));
  if (spans.length === 0) return text;
  for (const mark of marks) {
    const redacted = cutOut(text, spans, mark);
    if (!needles.some((needle) => findSpans(redacted, needle).length > 0)) return redacted;
  }
  return "";
}

type Span = readonly [start: number, end: number];

function findSpans(text: string, needle: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    spans.push([at, at + needle.length]);
  }
  // Most texts don't end in the start of a secret. One search finds that out.
  const tailStart = Math.max(0, text.length - needle.length + 1);
  if (!text.includes(needle.slice(0, minSecretLength), tailStart)) return spans;
  for (
    let length = Math.min(needle.length - 1, text.length);
    length >= minSecretLength;
    length -= 1
  ) {
    if (!text.endsWith(needle.slice(0, length))) continue;
    spans.push([text.length - length, text.length]);
    break;
  }
  return spans;
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function cutOut(text: string, spans: readonly Span[], mark: string): string {
  let redacted = "";
  let from = 0;
  for (const [start, end] of spans) {
    redacted += text.slice(from, start) + mark;
    from = end;
  }
  return redacted + text.slice(from);
}

function spellings(secret: string): string[] {
  if (secret.length < minSecretLength) return [];
  // Most secrets have no characters that need escaping.
  if (/^[\w.-]+$/.test(secret)) return [secret, ...base64Spellings(secret)];
  const wellFormed = secret.toWellFormed();
  const percent = encodeURIComponent(wellFormed);
  const form = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  // PHP escapes slashes; PHP and Python escape non-ASCII; Go and .NET escape HTML characters.
  const ascii = json.replace(/[^\x20-\x7e]/g, toUnicodeEscape);
  const slashed = [json, ascii].map((text) => text.replaceAll("/", "\\/"));
  const withoutHtml = json.replace(/[<>&]/g, toUnicodeEscape);
  const dotnet = secret
    .replaceAll("\\", "\\\\")
    .replace(/["&'+<>`]|[^\x20-\x7e]/g, (sign) =>
      toUnicodeEscape(sign).toUpperCase().replace("U", "u"),
    );
  const html = quoteEntities.map((quotes) =>
    secret.replace(/[&<>"']/g, (sign) => quotes[sign] ?? htmlEntities[sign] ?? sign),
  );
  const lower = [percent, form].map((text) =>
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  );
  const inJson = [json, ascii, ...slashed, withoutHtml, dotnet];
  const base64 = base64Spellings(secret);
  return [...new Set([secret, percent, form, ...lower, ...inJson, ...html, ...base64])];
}

/** Shorter ones would match ordinary base64. */
const minBase64Bytes = 8;

/**
 * The base64 letters that contain a secret, for each position in the encoded bytes: three bytes
 * become four letters, so there are three variants, and letters shared with the text around the
 * secret are left out.
 */
function base64Spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.byteLength < minBase64Bytes) return [];
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((padded.byteLength * 8) / 6)];
    return (["base64", "base64url"] as const).map((alphabet) =>
      padded.toString(alphabet).slice(start, end),
    );
  });
}

const htmlEntities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** PHP; Go; Python; .NET and Java. */
const quoteEntities: readonly Readonly<Record<string, string>>[] = [
  { '"': "&quot;", "'": "&#039;" },
  { '"': "&#34;", "'": "&#39;" },
  { '"': "&quot;", "'": "&#x27;" },
  { '"': "&quot;", "'": "&#39;" },
];

function toUnicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
