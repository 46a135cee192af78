/** What the request line says: which hook, and what follows it. */
export type CatchTarget =
  | {
      readonly ok: true;
      readonly accountSlug: string;
      readonly hookKey: string;
      /** What follows the key, as sent: "" or "/orders/eu". */
      readonly path: string;
      /** Without the question mark, as sent. */
      readonly query: string;
    }
  | { readonly ok: false; readonly code: "invalid_request" | "hook_not_found"; readonly detail: string };

const prefix = "/catch/";
const plainSegment = /^[A-Za-z0-9_-]+$/;

/** Whether a request belongs to the catch endpoint at all; everything else goes to the dashboard. */
export function isCatchPath(url: string): boolean {
  return url.startsWith(prefix) || url === "/catch" || url.startsWith("/catch?");
}

/**
 * Takes `/catch/{account}/{hook}[/any/path][?query]` apart. Percent-escapes must be right and stand for UTF-8
 * (RFC 3986 §2.1), whatever their letter case; dot segments, backslashes and control characters never get further,
 * because a proxy in front may read them in another way than we do.
 */
export function parseCatchTarget(url: string): CatchTarget {
  const queryStart = url.indexOf("?");
  const pathname = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? "" : url.slice(queryStart + 1);
  const [account = "", hook = "", ...rest] = pathname.slice(prefix.length).split("/");
  if (plainSegment.test(account) && plainSegment.test(hook) && rest.length === 0 && !query.includes("%")) {
    return { ok: true, accountSlug: account, hookKey: hook, path: "", query };
  }
  const segments = [account, hook, ...rest].map(decodeSegment);
  if (segments.includes(null) || decodeSegment(query) === null) {
    return {
      ok: false,
      code: "invalid_request",
      detail: "The URL holds a percent-escape that is not valid UTF-8.",
    };
  }
  if (segments.some((segment) => segment === null || isRefusedSegment(segment))) {
    return {
      ok: false,
      code: "hook_not_found",
      detail: "The path holds a segment that is never part of a catch URL.",
    };
  }
  const path = rest.length === 0 ? "" : `/${rest.join("/")}`;
  return { ok: true, accountSlug: segments[0] ?? "", hookKey: segments[1] ?? "", path, query };
}

function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const refusedCharacters = /[\u0000-\u001f\u007f\\]/;

function isRefusedSegment(segment: string): boolean {
  return segment === "." || segment === ".." || refusedCharacters.test(segment);
}
