/**
 * Untrusted text with invisible characters made visible: control and bidirectional characters could
 * make it read as something else.
 */
export function safeText(text: string): string {
  return text.replace(invisible, toNumber);
}

/** Like `safeText`, for a text block. Keeps line breaks and tabs. */
export function safeBlock(text: string): string {
  return text.replace(invisible, (character) =>
    /[\n\t]/.test(character) ? character : toNumber(character),
  );
}

const invisible =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

function toNumber(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
