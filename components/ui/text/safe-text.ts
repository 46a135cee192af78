/**
 * Untrusted text with invisible characters made visible: control and bidirectional characters could
 * make it read as something else. A joiner within a word or an emoji stays, because what it joins or
 * separates is visible.
 */
export function safeText(text: string): string {
  return text.replace(invisible, toNumber);
}

/** Like `safeText`, for a text block. Keeps line breaks, of which CR LF is one, and tabs. */
export function safeBlock(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(invisible, (character) =>
      /[\n\t]/.test(character) ? character : toNumber(character),
    );
}

/** Scripts in which a joiner changes the form of the letters around it. */
const cursive = list("Arabic Syriac Mongolian Nko Mandaic Manichaean Psalter_Pahlavi Adlam");
const indic = list(
  "Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar " +
    "Tibetan Balinese Javanese Sundanese Brahmi Kaithi Chakma Newa Grantha Tirhuta Modi",
);
/** The sign that takes a letter's vowel, as in RFC 5892, appendix A.1. */
const virama =
  "\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0f84\\u1039\\u103a" +
  "\\u17d2\\u1b44\\u1baa\\u1bab\\ua9c0\\u{11046}\\u{110b9}\\u{11133}\\u{11134}\\u{1134d}\\u{1143f}\\u{114c2}\\u{1163f}";

function list(scripts: string): string {
  return scripts.replace(/\w+/g, "\\p{scx=$&}").replaceAll(" ", "");
}

/** The places where a joiner has an effect. */
const joined = [
  // An emoji of several, whose parts can have a variation selector or a skin tone.
  "(?<=\\p{ExtPict}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{ExtPict})",
  `(?<=[${virama}])[\\u200c\\u200d](?![\\u200c\\u200d])`,
  `(?<=[${indic}])\\u200d(?=[${virama}])`,
  `(?<=(?=[\\p{L}\\p{M}\\p{N}])[${indic}])\\u200c(?=(?=[\\p{L}\\p{M}])[${indic}])`,
  `(?<=(?=[\\p{L}\\p{M}\\p{N}])[${cursive}])\\u200c(?=(?=[\\p{L}\\p{M}\\p{N}])[${cursive}])`,
  `(?<=(?=[\\p{L}\\p{M}])[${cursive}])\\u200d(?![\\u200c\\u200d])`,
  `(?<![\\u200c\\u200d])\\u200d(?=(?=[\\p{L}\\p{M}])[${cursive}])`,
  "(?<=\\p{scx=Mongolian})\\u180e(?=\\p{scx=Mongolian})",
].join("|");

/** The flags of England, Scotland, and Wales: their letters are tags. Tags elsewhere are hidden text. */
const flags =
  "\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|" +
  "\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}";
const unseen =
  "[\\p{Cc}\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\u3164\\ufeff\\uffa0" +
  "\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]";
// Most characters are passed by the first look alone.
const invisible = new RegExp(`(?=${unseen})(?!${joined})${unseen}|\\p{Cs}|${flags}`, "gu");

function toNumber(character: string): string {
  if (character.startsWith("🏴")) return character;
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
