/**
 * The text without its percent-encoding, as the WHATWG's URL Standard reads it: an escape that is none
 * stays, and bytes that aren't UTF-8 become U+FFFD.
 *
 * Apart from `decodePercent`, which browsers load: they would also get a `Buffer`, of 12 kB.
 */
export function decodeUrlText(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text).toString("latin1").replace(percentEscape, toByte);
    return utf8.decode(Buffer.from(bytes, "latin1"));
  }
}

const percentEscape = /%([\da-f]{2})/gi;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function toByte(_escape: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
