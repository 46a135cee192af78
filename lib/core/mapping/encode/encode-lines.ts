import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/** A format whose lines mean something, and which has no escape for a line break. */
export function encodeLines(parts: readonly TextPart[]): Encoded {
  const isSplit = parts.some(
    (part) => part.kind === "value" && /[\r\n\u2028\u2029]/.test(part.text),
  );
  if (isSplit)
    return refuse(
      "a value has a line break, which this format can't contain. " +
        "Remove it, as with {{ name | strip_newlines }}",
    );
  return { ok: true, text: parts.map(({ text }) => text).join("") };
}

/** iCalendar and vCard: the escapes of TEXT (RFC 5545 §3.3.11, RFC 6350 §3.4). */
export function encodeCalendar(parts: readonly TextPart[]): Encoded {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting them is the point
  const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
  if (parts.some((part) => part.kind === "value" && control.test(part.text)))
    return refuse("a value has a control character, which this format can't contain");
  return {
    ok: true,
    text: parts.map((part) => (part.kind === "value" ? escapeText(part.text) : part.text)).join(""),
  };
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}
