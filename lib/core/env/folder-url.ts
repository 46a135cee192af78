/** The absolute path of a `file:` URL. Null: it is no such URL. */
export function toFolder(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.host === "" && url.search === "" && url.hash === "";
  if (url.protocol !== "file:" || !isPlain || url.pathname.length < 2) return null;
  // An escaped slash is in no path.
  if (/%2f|%00|%(?![0-9a-f]{2})/i.test(url.pathname)) return null;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return null;
  }
}
