/**
 * The source of a regular expression that finds a value in bytes read as latin1, however they write its
 * characters: as they are in upper or lower case, with escapes of JSON (also of JSON within JSON), percent
 * escapes (also of what is escaped already), and references of HTML and XML.
 *
 * It finds whole values: `jo@example.com` isn't found in `banjo@example.com`, and 4711 isn't in 14711.
 */
export function toPatternSource(value: string): string {
  const characters = [...value.normalize("NFC")];
  const isAddress = value.includes("@");
  const written = characters.map(writeCharacter).join("");
  return `${beginOf(characters[0] ?? "", isAddress)}${written}${endOf(characters.at(-1) ?? "", isAddress)}`;
}

/** No letter or digit comes before a value, unless it ends an escape such as `\n` or `%22`. */
function beginOf(first: string, isAddress: boolean): string {
  if (!/^[A-Za-z0-9]$/.test(first)) return "";
  const escapes = String.raw`\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|&#?\w{1,7};`;
  const begin = `(?:(?<![A-Za-z0-9])|(?<=${escapes}))`;
  // The n of \n is no letter of a word.
  const inEscape = /^[bfnrtu]$/i.test(first) ? String.raw`(?<!(?<!\\)(?:\\\\)*\\)` : "";
  return `${begin}${inEscape}${isAddress ? "(?<![A-Za-z0-9][._-])" : ""}`;
}

function endOf(last: string, isAddress: boolean): string {
  if (!/^[A-Za-z0-9]$/.test(last)) return "";
  return isAddress ? "(?![A-Za-z0-9]|[.-][A-Za-z0-9])" : "(?![A-Za-z0-9])";
}

/** Every way to write a character that we know. */
function writeCharacter(character: string): string {
  const forms = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const ways = [...forms].flatMap((form) => [
    escapeBytes(form),
    percent(form),
    unicodeEscape(form),
    reference(form),
  ]);
  if (/["\\/]/.test(character)) ways.push(String.raw`\\+${escapeBytes(character)}`);
  if (character === " ") ways.push(String.raw`\+`);
  const name = names[character];
  if (name !== undefined) ways.push(`&(?:amp;)*${name};`);
  return `(?:${[...new Set(ways)].join("|")})`;
}

const names: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "@": "commat",
};

function bytesOf(text: string): number[] {
  return [...Buffer.from(text)];
}

/** Its bytes in UTF-8, one by one: no byte means anything in the expression. */
function escapeBytes(text: string): string {
  return bytesOf(text)
    .map((byte) => `\\x${hex(byte, 2)}`)
    .join("");
}

function percent(text: string): string {
  return bytesOf(text)
    .map((byte) => `%(?:25)*${anyCase(hex(byte, 2))}`)
    .join("");
}

function unicodeEscape(text: string): string {
  return Array.from(
    { length: text.length },
    (_, at) => String.raw`\\+u${anyCase(hex(text.charCodeAt(at), 4))}`,
  ).join("");
}

function reference(text: string): string {
  return [...text]
    .map((one) => {
      const code = one.codePointAt(0) ?? 0;
      return `&(?:amp;)*#(?:0*${code}|[xX]0*${anyCase(code.toString(16))});`;
    })
    .join("");
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

function anyCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
