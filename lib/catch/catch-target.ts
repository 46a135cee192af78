/** The hook and the rest of a request target. */
export type CatchTarget =
  | {
      readonly ok: true;
      readonly accountSlug: string;
      readonly hookKey: string;
      /** The path after the key, as sent: "" or "/orders/eu". */
      readonly path: string;
      /** The query as sent, without the question mark. */
      readonly query: string;
    }
  /** `malformed`: invalid percent-escapes. `impossible`: no hook can have this URL. */
  | { readonly ok: false; readonly reason: "malformed" | "impossible" };

const prefix = "/catch/";
const plainSegment = /^[A-Za-z0-9_-]{1,128}$/;

/** True for a request to the catch endpoint. Everything else goes to the dashboard. */
export function isCatchPath(url: string): boolean {
  return url.startsWith(prefix) || url === "/catch" || url.startsWith("/catch?");
}

/**
 * Parses `/catch/{account}/{hook}[/any/path][?query]`. Percent-escapes must be valid UTF-8 (RFC
 * 3986 §2.1). Dot segments, backslashes, and control characters are rejected, since a proxy in
 * front may interpret them differently.
 */
export function parseCatchTarget(url: string): CatchTarget {
  const queryStart = url.indexOf("?");
  const pathname = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? "" : url.slice(queryStart + 1);
  const [account = "", hook = "", ...rest] = pathname.slice(prefix.length).split("/");
  if (
    plainSegment.test(account) &&
    plainSegment.test(hook) &&
    rest.length === 0 &&
    !query.includes("%")
  ) {
    return { ok: true, accountSlug: account, hookKey: hook, path: "", query };
  }
  const [accountSlug, hookKey, ...others] = [account, hook, ...rest].map(decodeSegment);
  if (
    accountSlug === null ||
    hookKey === null ||
    others.includes(null) ||
    decodeSegment(query) === null
  )
    return { ok: false, reason: "malformed" };
  if (accountSlug === undefined || hookKey === undefined)
    return { ok: false, reason: "impossible" };
  if (
    !plainSegment.test(accountSlug) ||
    !plainSegment.test(hookKey) ||
    others.some(isRejectedSegment)
  )
    return { ok: false, reason: "impossible" };
  return {
    ok: true,
    accountSlug,
    hookKey,
    path: rest.length === 0 ? "" : `/${rest.join("/")}`,
    query,
  };
}

function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected here.
const forbiddenCharacters = /[\u0000-\u001f\u007f\\]/;

function isRejectedSegment(segment: string | null): boolean {
  return (
    segment === null || segment === "." || segment === ".." || forbiddenCharacters.test(segment)
  );
}
