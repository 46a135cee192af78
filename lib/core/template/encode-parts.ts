import type { Part } from "./parts-emitter.ts";
import { TemplateFault } from "./render-budget.ts";
import { maxOutputChars, valueToJson, valueToText } from "./value-to-text.ts";

/**
 * Where a template's text is used, which decides how its values are encoded:
 * - `text` as is; `header` the same, and rejects characters that a header can't contain
 * - `url` percent-encoded; a value can't open or close a path segment, nor make one empty, `.`, or
 *   `..`
 * - `form` percent-encoded for application/x-www-form-urlencoded
 * - `json` as part of a JSON string inside quotes, as a JSON value outside
 * - `xml` with the five XML characters as entities
 */
export type Place = "text" | "header" | "url" | "form" | "json" | "xml";

/** Throws a `TemplateFault` if a value isn't allowed in its place, or the text is over 1 MiB. */
export function encodeParts(parts: readonly Part[], place: Place): string {
  switch (place) {
    case "text":
      return join(parts, valueToText);
    case "header":
      return checkHeader(join(parts, valueToText));
    case "xml":
      return join(parts, (value, room) => escapeXml(valueToText(value, room)));
    case "form":
      return join(parts, (value, room) => encodeFormText(valueToText(value, room)));
    case "url":
      return encodeUrl(parts);
    case "json":
      return encodeJson(parts);
    default:
      return place satisfies never;
  }
}

function join(parts: readonly Part[], encode: (value: unknown, room: number) => string): string {
  let text = "";
  for (const part of parts) {
    text += part.kind === "literal" ? part.text : encode(part.value, maxOutputChars - text.length);
    if (text.length > maxOutputChars) throw new TemplateFault("the text is over 1 MiB");
  }
  return text;
}

/**
 * RFC 9110 §5.5: visible ASCII, space, tab, and obs-text; here obs-text is Latin-1, which is what
 * undici sends.
 */
function checkHeader(text: string): string {
  const bad = /[^\t\x20-\x7e\x80-\xff]/u.exec(text);
  if (bad !== null) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new TemplateFault(`a header can't contain the character U+${code}`);
  }
  return text.replace(/^[\t ]+/, "").trimEnd();
}

const xmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => xmlEntities[character] ?? character);
}

/** One name or value of a form or query, percent-encoded as UTF-8. */
export function encodeUrlText(text: string): string {
  if (!text.isWellFormed()) throw new TemplateFault("a URL can't contain half of a surrogate pair");
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function encodeFormText(text: string): string {
  return encodeUrlText(text).replaceAll("%20", "+");
}

/** The path up to the first `?` of the template itself, the query after it. */
function encodeUrl(parts: readonly Part[]): string {
  let url = "";
  let segmentStart = 0;
  let segmentHasValue = false;
  let isQuery = false;
  const endSegment = (): void => {
    if (segmentHasValue) checkSegment(url.slice(segmentStart));
    segmentHasValue = false;
  };
  for (const part of parts) {
    if (part.kind === "value") {
      url += isQuery ? encodeUrlText(valueToText(part.value)) : encodePathValue(part.value);
      segmentHasValue = !isQuery;
    }
    for (const character of part.kind === "literal" ? part.text : "") {
      if (!isQuery && (character === "/" || character === "?")) {
        endSegment();
        segmentStart = url.length + 1;
        isQuery = character === "?";
      }
      url += checkUrlCharacter(character);
    }
    if (url.length > maxOutputChars) throw new TemplateFault("the URL is over 1 MiB");
  }
  endSegment();
  return url;
}

function encodePathValue(value: unknown): string {
  if (value === null || value === undefined) throw new TemplateFault("a value in the path is null");
  if (Array.isArray(value)) throw new TemplateFault("a value in the path is a list");
  const text = valueToText(value);
  if (typeof value === "object" && text.startsWith("{"))
    throw new TemplateFault("a value in the path is an object");
  return encodeUrlText(text);
}

/**
 * A value that empties a segment, or walks up with `..`, would call another URL than the template
 * says.
 */
function checkSegment(segment: string): void {
  const plain = segment.replace(/%2e/gi, ".");
  if (plain === "" || plain === "." || plain === "..") {
    throw new TemplateFault(`a value makes the path segment "${plain}", which is not allowed`);
  }
}

/**
 * URL parsers silently drop or rewrite these, so the called URL would differ from the one written.
 */
function checkUrlCharacter(character: string): string {
  if (character <= " " || character === "\\" || character === "\x7f") {
    throw new TemplateFault("a URL can't contain spaces, control characters, or backslashes");
  }
  if (character === "#")
    throw new TemplateFault("a URL can't contain a fragment (#…), since it is never sent");
  return character;
}

/** Follows the template's own text to know whether a value is inside a JSON string. */
function encodeJson(parts: readonly Part[]): string {
  let isInside = false;
  let isEscaped = false;
  const text = join(
    parts.flatMap((part): Part[] => {
      if (part.kind === "literal") {
        for (const character of part.text) {
          const closes = isInside && !isEscaped && character === '"';
          isEscaped = isInside && !isEscaped && character === "\\";
          isInside = closes ? false : isInside || character === '"';
        }
        return [part];
      }
      if (isEscaped) throw new TemplateFault("a value can't follow a backslash in JSON");
      const { value } = part;
      const json = isInside ? JSON.stringify(valueToText(value)).slice(1, -1) : valueToJson(value);
      return [{ kind: "literal", text: json }];
    }),
    valueToText,
  );
  return checkJson(text);
}

function checkJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new TemplateFault(`the text is not valid JSON once it is rendered: ${reason}`);
  }
}
