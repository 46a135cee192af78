/**
 * Replaces every known secret in a text by `[redacted]`, also where it stands percent-encoded, form-encoded,
 * JSON-escaped or HTML-escaped in the ways in which receivers do it, and where the text was cut in the middle of it. Overlapping secrets are covered whole.
 *
 * @param secretValues the secrets in clear; those under 4 characters are left alone, since they would be found
 *   in any text
 */
export function redactText(text: string, secretValues: readonly string[]): string {
  if (secretValues.length === 0) return text;
  return replaceNeedles(text, secretValues.flatMap(spellings));
}

/** `redactText` for bytes of any kind: what is not a secret stays as it is, byte for byte. */
export function redactBytes(bytes: Uint8Array, secretValues: readonly string[]): Uint8Array {
  const needles = secretValues.flatMap(spellings).map((needle) => Buffer.from(needle).toString("latin1"));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const redacted = replaceNeedles(text, needles);
  return redacted === text ? bytes : Buffer.from(redacted, "latin1");
}

/**
 * Replaces strings of a JSON text that are a secret from quote to quote. Whatever only holds its characters stays as it is,
 * byte for byte: this body is passed on to other systems, and a short secret is found within many words and numbers.
 *
 * @param secretValues the secrets in clear, of any length
 */
export function redactStringValues(json: Uint8Array, secretValues: readonly string[]): Uint8Array {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("latin1");
  const redacted = text.replaceAll(jsonString, (literal) =>
    secretValues.includes(readString(literal)) ? `"${redactionMark}"` : literal,
  );
  return redacted === text ? json : Buffer.from(redacted, "latin1");
}

/** From quote to quote, without trying anything twice. */
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** What the literal says, in whatever spelling: `\/`, `\u2603`. */
function readString(literal: string): string {
  const text = Buffer.from(literal, "latin1").toString("utf8");
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    // No string of JSON, so nobody reads a secret out of it.
    return "";
  }
}

export const redactionMark = "[redacted]";

const minSecretLength = 4;

/** The mark itself can hold a secret, or complete one with its neighbours; then a plainer one is taken. */
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
  for (let length = Math.min(needle.length - 1, text.length); length >= minSecretLength; length -= 1) {
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
  // The most secrets are made of what nobody ever escapes.
  if (/^[\w.-]+$/.test(secret)) return [secret];
  const wellFormed = secret.toWellFormed();
  const percent = encodeURIComponent(wellFormed);
  const form = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  // As others write it: PHP escapes slashes, PHP and Python all that is not ASCII, Go three signs of HTML, .NET more of them.
  const ascii = json.replace(/[^\x20-\x7e]/g, toUnicodeEscape);
  const slashed = [json, ascii].map((text) => text.replaceAll("/", "\\/"));
  const withoutHtml = json.replace(/[<>&]/g, toUnicodeEscape);
  const dotnet = secret
    .replaceAll("\\", "\\\\")
    .replace(/["&'+<>`]|[^\x20-\x7e]/g, (sign) => toUnicodeEscape(sign).toUpperCase().replace("U", "u"));
  const html = quoteEntities.map((quotes) =>
    secret.replace(/[&<>"']/g, (sign) => quotes[sign] ?? htmlEntities[sign] ?? sign),
  );
  const lower = [percent, form].map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  const inJson = [json, ascii, ...slashed, withoutHtml, dotnet];
  return [...new Set([secret, percent, form, ...lower, ...inJson, ...html])];
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
