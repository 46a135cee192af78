import { isUtf8 } from "node:buffer";
import { decodeStart } from "./decode-text.ts";

/**
 * The text of a body that may be cut, by its charset.
 *
 * @returns null: it is binary
 */
export function readTextBody(bytes: Uint8Array, contentType: string | null): string | null {
  const text = decodeStart(bytes, contentType);
  return isUtf8(bytes) || isText(text, contentType) ? text : null;
}

/**
 * False if the text was made from binary bytes. In text, a few bytes may be wrong: an error page often doesn't
 * declare its charset.
 *
 * @param text with U+FFFD for what isn't text
 */
export function isText(text: string, contentType: string | null): boolean {
  const wrong = text.split("\ufffd").length - 1;
  if (!isTextType(contentType)) return wrong === 0 && !controls.test(text);
  return wrong === 0 || (wrong * 10 <= text.length && !controls.test(text));
}

/** True without a type, too. */
function isTextType(contentType: string | null): boolean {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return type === "" || type.startsWith("text/") || textTypes.test(type);
}

const textTypes =
  /[/+](?:json|xml|yaml)$|^application\/(?:.*json.*|x-www-form-urlencoded|.*script|graphql|problem)/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none but tabs and line ends
const controls = /[\0-\x08\x0b\x0e-\x1f]/;
