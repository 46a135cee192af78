/** The start of a body on one line; null if it isn't text. */
export function toBodyStart(bytes: Uint8Array): string | null {
  // `stream`: a character split by the cut is dropped, not replaced.
  const text = new TextDecoder("utf-8").decode(bytes, { stream: true });
  if (/[\u{fffd}\0]|[^\P{Cc}\s]/u.test(text)) return null;
  return text.replace(/\s+/gu, " ").trim();
}
