import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/** Headers, an empty line, and content, as in message/rfc822. No value adds a header or a part. */
export function encodeMessage(parts: readonly TextPart[]): Encoded {
  return encode(parts, true);
}

/** A multipart body that the template writes itself, delimiters and all. */
export function encodeMessageParts(parts: readonly TextPart[]): Encoded {
  return encode(parts, false);
}

function encode(parts: readonly TextPart[], beginsWithHeaders: boolean): Encoded {
  const delimiters = listDelimiters(parts);
  if (delimiters.length > maxDelimiters) return refuse("the body has too many boundaries");
  let line = "";
  let isQuoted = false;
  let isHeader = beginsWithHeaders;
  let text = "";
  for (const part of parts) {
    if (part.kind === "value") {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting them is the point
      if (isHeader && /[\x00-\x08\x0a-\x1f\x7f]/.test(part.text)) return refuse(brokenHeader);
      if (delimiters.some((delimiter) => part.text.includes(delimiter)))
        return refuse(
          "a value contains the boundary of the parts. Use another boundary, or multipart",
        );
      const written = isHeader && isQuoted ? part.text.replace(/["\\]/g, toQuoted) : part.text;
      text += written;
      line += written;
      continue;
    }
    for (const character of part.text) {
      if (character === '"') isQuoted = !isQuoted;
      if (character !== "\n") {
        line += character;
        continue;
      }
      const content = line.replace(/\r$/, "");
      if (delimiters.some((delimiter) => content.startsWith(delimiter))) isHeader = true;
      else if (content === "") isHeader = false;
      line = "";
      isQuoted = false;
    }
    text += part.text;
  }
  return { ok: true, text };
}

/** Browsers escape a file's name like this. Other backslashes would end the quotes for some readers. */
function toQuoted(character: string): string {
  return character === '"' ? "%22" : "%5C";
}

const brokenHeader =
  "a value in a header has a line break or a control character. " +
  "Remove it, as with {{ name | strip_newlines }}";

const maxDelimiters = 100;

/** The template's own lines that begin with `--`. */
function listDelimiters(parts: readonly TextPart[]): readonly string[] {
  const own = parts.map((part) => (part.kind === "literal" ? part.text : "\0")).join("");
  const lines = own.split(/\r?\n/).filter((line) => /^--[^\0\s-]/.test(line));
  return [...new Set(lines.map((line) => line.trimEnd().replace(/--$/, "")))];
}
