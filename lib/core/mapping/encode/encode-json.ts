import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/** One JSON text (RFC 8259). */
export function encodeJson(parts: readonly TextPart[]): Encoded {
  return encode(parts, (text) => findProblem(text));
}

/** One JSON text a line (https://github.com/ndjson/ndjson-spec), or none. */
export function encodeJsonLines(parts: readonly TextPart[]): Encoded {
  return encode(parts, (text) => findFirstProblem(text.split("\n"), "line"));
}

/** JSON texts that each begin with a record separator (RFC 7464). One can have several lines. */
export function encodeJsonSequence(parts: readonly TextPart[]): Encoded {
  return encode(parts, (text) => findFirstProblem(text.split("\x1e"), "record"));
}

/** Follows the template's own text to know whether a value is inside a JSON string. */
function encode(parts: readonly TextPart[], check: (text: string) => string | null): Encoded {
  let isInside = false;
  let isEscaped = false;
  let text = "";
  for (const part of parts) {
    if (part.kind === "value") {
      if (isEscaped) return refuse("a value can't follow a backslash in JSON");
      text += isInside ? JSON.stringify(part.text).slice(1, -1) : part.json();
      continue;
    }
    for (const character of part.text) {
      const closes: boolean = isInside && !isEscaped && character === '"';
      isEscaped = isInside && !isEscaped && character === "\\";
      isInside = closes ? false : isInside || character === '"';
    }
    text += part.text;
  }
  const problem = check(text);
  if (problem === null) return { ok: true, text };
  return refuse(`the text is not valid JSON once it is rendered: ${problem}`);
}

function findFirstProblem(texts: readonly string[], what: string): string | null {
  for (const [index, text] of texts.entries()) {
    const problem = text.trim() === "" ? null : findProblem(text);
    if (problem !== null) return `${what} ${index + (what === "line" ? 1 : 0)}: ${problem}`;
  }
  return null;
}

function findProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "";
  }
}
