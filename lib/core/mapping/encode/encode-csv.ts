import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/**
 * Comma-separated values (RFC 4180). A field with a value in it is quoted if it has to be, and a
 * value in the template's own quotes has its quotes doubled. No value adds a field or a row.
 *
 * A cell that starts with `=` or `+` stays as it is: the receiver is a program, and another text
 * would be a wrong value (a phone number, a negative amount).
 */
export function encodeCsv(parts: readonly TextPart[]): Encoded {
  const separator = findSeparator(parts);
  const field = new Field();
  let text = "";
  for (const part of parts) {
    if (part.kind === "value") {
      if (field.state === "closed")
        return refuse("a value can't follow the closing quote of a field in CSV");
      field.addValue(part.text);
      continue;
    }
    for (const character of part.text) {
      const isBetween = field.state !== "open" && (character === separator || isBreak(character));
      if (isBetween) text += field.take() + character;
      else field.addOwn(character);
    }
  }
  if (field.state === "open") return refuse("a quoted field of the CSV isn't closed");
  return { ok: true, text: text + field.take() };
}

/** Tab-separated values, which have no quotes and no escapes (IANA, text/tab-separated-values). */
export function encodeTsv(parts: readonly TextPart[]): Encoded {
  const isSplit = parts.some((part) => part.kind === "value" && /[\t\r\n]/.test(part.text));
  if (isSplit) return refuse(notInTsv);
  return { ok: true, text: parts.map(({ text }) => text).join("") };
}

const notInTsv =
  "a value has a tab or a line break, which tab-separated values can't contain. " +
  'Replace it, as with {{ name | replace: "\\t", " " | strip_newlines }}, or send text/csv';

class Field {
  #text = "";
  #hasValue = false;
  /** Of the template's own quotes around the field. */
  state: "none" | "open" | "closed" = "none";

  addValue(text: string): void {
    this.#text += this.state === "open" ? text.replaceAll('"', '""') : text;
    this.#hasValue = true;
  }

  addOwn(character: string): void {
    if (character === '"') this.#passQuote();
    this.#text += character;
  }

  #passQuote(): void {
    if (this.state !== "none") this.state = this.state === "open" ? "closed" : "open";
    else if (this.#text === "" && !this.#hasValue) this.state = "open";
  }

  take(): string {
    const text = this.#hasValue && this.state === "none" ? quote(this.#text) : this.#text;
    this.#text = "";
    this.#hasValue = false;
    this.state = "none";
    return text;
  }
}

/** Quotes are right for every reader, whichever of these separates its fields. */
function quote(text: string): string {
  return /["\r\n,;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isBreak(character: string): boolean {
  return character === "\n" || character === "\r";
}

/**
 * The most frequent separator in the first line of the template that has one. Where a comma is the
 * decimal separator, programs write semicolons.
 */
function findSeparator(parts: readonly TextPart[]): string {
  const own = parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  for (const line of own.replace(/"(?:[^"]|"")*"/g, "").split(/[\r\n]+/)) {
    const counts = [...",;\t|"].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
    const [most] = counts.toSorted((one, other) => other.count - one.count);
    if (most !== undefined && most.count > 0) return most.mark;
  }
  return ",";
}
