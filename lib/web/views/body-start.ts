/** How a body begins, as one line of text; null where it is no text. */
export function toBodyStart(bytes: Uint8Array): string | null {
  // `stream`: a character that the cut goes through is left out, not replaced.
  const text = new TextDecoder("utf-8").decode(bytes, { stream: true });
  if (/[\u{fffd}\0]|[^\P{Cc}\s]/u.test(text)) return null;
  return text.replace(/\s+/gu, " ").trim();
}
