/**
 * The path to open after sign-in, always one of our own. `//evil`, `/\evil`, `https:evil`,
 * `javascript:…`, and everything else that a browser would read as another site becomes `/`.
 */
export function toOwnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > 2_000 || !/^\/[^/\\]/.test(wanted)) return "/";
  // Browsers remove tabs and line breaks before they parse a URL.
  if (/[\\\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

const origin = "https://own.invalid";

/**
 * The requested page: set by `proxy.ts` on every request, because Next doesn't tell layouts and
 * commands.
 */
export const returnToHeader = "x-catchment-return-to";
