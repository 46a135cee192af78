import { isUtf8 } from "node:buffer";
import {
  type DecodedText,
  decodeByBytes,
  decodeText,
  findDecoder,
  readCharset,
} from "./decode-text.ts";
import type { MultipartPart } from "./multipart.ts";
import { parseForm } from "./parse-form.ts";

type Pairs = Iterable<readonly [name: string, text: string]>;

/** The fields of a form by the charsets that it declares. Null: there are too many. */
export function decodeForm(
  body: Uint8Array,
  contentType: string | null,
): { readonly pairs: Pairs | null; readonly isDamaged: boolean } {
  const latin1 = toBuffer(body).toString("latin1");
  const declared = findDecoder(readCharset(contentType));
  const mayName = latin1.includes("charset");
  if (declared === null && !mayName && !notAscii.test(latin1))
    return { pairs: parseForm(latin1), isDamaged: false };
  const parsed = parseForm(latin1);
  if (parsed === null) return { pairs: null, isDamaged: false };
  const charsets = mayName ? findCharsets(parsed) : noCharsets;
  const bytes = unescapeBytes(latin1);
  const label = charsets.ofForm ?? readCharset(contentType);
  const type = toType(label);
  // As a whole: one field may be valid UTF-8 by chance.
  if (charsets.byName.size === 0 && isUtf8Form(bytes, label))
    return { pairs: parseForm(decodeByBytes(body)), isDamaged: decodeText(bytes, null).isDamaged };
  let isDamaged = false;
  const decode = (part: string, partType: string | null) => {
    const decoded = decodeText(unescapeBytes(part.replaceAll("+", " ")), partType);
    isDamaged ||= decoded.isDamaged;
    return decoded.text;
  };
  const pairs = latin1.split("&").flatMap((pair): [string, string][] => {
    if (pair === "") return [];
    const end = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const name = decode(pair.slice(0, end), type);
    const own = charsets.byName.get(name);
    return [[name, decode(pair.slice(end + 1), own === undefined ? type : toType(own))]];
  });
  return { pairs, isDamaged };
}

/** Decodes the parts of a form: a part may declare a charset, and so may the form, in two ways. */
export function partDecoder(
  parts: readonly MultipartPart[],
  contentType: string,
): (part: MultipartPart) => DecodedText {
  const named = parts
    .filter(({ name }) => name === formCharset || name === fieldCharsets)
    .map(({ name, body }) => [name, toBuffer(body).toString("utf8")] as const);
  const charsets = named.length === 0 ? noCharsets : findCharsets(named);
  return ({ name, body, contentType: own }) => {
    const label = readCharset(own) ?? charsets.byName.get(name) ?? charsets.ofForm;
    return decodeText(body, label === null ? contentType : toType(label));
  };
}

type Charsets = {
  readonly ofForm: string | null;
  readonly byName: ReadonlyMap<string, string>;
};

const noCharsets: Charsets = { ofForm: null, byName: new Map() };

/** The field that browsers fill in with the charset of a form (RFC 7578 §4.6). */
const formCharset = "_charset_";
/**
 * The field in which SendGrid names the charset of each other one, as JSON.
 * https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook
 */
const fieldCharsets = "charsets";

function findCharsets(pairs: Pairs): Charsets {
  let ofForm: string | null = null;
  let byName: ReadonlyMap<string, string> = new Map();
  for (const [name, text] of pairs) {
    if (name === formCharset && isCharset(text)) ofForm ??= text.trim();
    if (name === fieldCharsets && byName.size === 0) byName = readFieldCharsets(text);
  }
  return { ofForm, byName };
}

/** Empty if the field is anything else. */
function readFieldCharsets(text: string): ReadonlyMap<string, string> {
  if (text.length > maxCharsetsLength || !text.trimStart().startsWith("{")) return new Map();
  try {
    const entries = Object.entries<unknown>(JSON.parse(text));
    return new Map(
      entries.flatMap(([name, label]) =>
        typeof label === "string" && isCharset(label) ? [[name, label.trim()] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

const maxCharsetsLength = 10_000;

function isCharset(label: string): boolean {
  return /^utf-?8$/i.test(label.trim()) || findDecoder(label.trim()) !== null;
}

function toType(label: string | null): string | null {
  return label === null ? null : `text/plain; charset="${label}"`;
}

/** Text in ISO-2022-JP is ASCII too. */
function isUtf8Form(bytes: Uint8Array, label: string | null): boolean {
  const decoder = findDecoder(label);
  return decoder === null || (isUtf8(bytes) && !decoder.encoding.startsWith("iso-2022"));
}

const notAscii = /%[89a-f]|[\x80-\xff]/i;

function unescapeBytes(latin1: string): Uint8Array {
  const text = latin1.replace(/%([\da-f]{2})/gi, (_all, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, "latin1");
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
