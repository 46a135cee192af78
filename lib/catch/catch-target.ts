import { decodeUrlText } from "#lib/core/api/http/decode-url-text.ts";

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
  /** No hook can have this URL. */
  | { readonly ok: false };

const prefix = "/catch/";
const plainSegment = /^[A-Za-z0-9_-]{1,128}$/;

/** True for a request to the catch endpoint. Everything else goes to the dashboard. */
export function isCatchPath(url: string): boolean {
  return url.startsWith(prefix) || url === "/catch" || url.startsWith("/catch?");
}

/**
 * Parses `/catch/{account}/{hook}[/any/path][?query]`. What follows the hook is data: old forms and
 * link trackers escape it in other charsets, or not at all, so its escapes may be anything. Dot
 * segments, backslashes, and control characters are rejected, since a proxy in front may interpret
 * them differently.
 */
export function parseCatchTarget(url: string): CatchTarget {
  const queryStart = url.indexOf("?");
  const pathname = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? "" : url.slice(queryStart + 1);
  const [account = "", hook = "", ...rest] = pathname.slice(prefix.length).split("/");
  const [accountSlug, hookKey] = [decodeUrlText(account), decodeUrlText(hook)];
  if (!plainSegment.test(accountSlug) || !plainSegment.test(hookKey)) return { ok: false };
  if (rest.length === 0) return { ok: true, accountSlug, hookKey, path: "", query };
  if (rest.map(decodeUrlText).some(isRejectedSegment)) return { ok: false };
  return { ok: true, accountSlug, hookKey, path: `/${rest.join("/")}`, query };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected here.
const forbiddenCharacters = /[\u0000-\u001f\u007f\\]/;

function isRejectedSegment(segment: string): boolean {
  return segment === "." || segment === ".." || forbiddenCharacters.test(segment);
}
