/**
 * Where to go after sign-in: a path of our own, whatever was asked for. `//evil`, `/\evil`, `https:evil`,
 * `javascript:…` and everything else that a browser would read as another place becomes `/`.
 */
export function toOwnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > 2_000 || !/^\/[^/\\]/.test(wanted)) return "/";
  // Browsers drop tab and line breaks before they read a URL.
  if (/[\\\p{Cc}]/u.test(wanted) || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

const origin = "https://own.invalid";
