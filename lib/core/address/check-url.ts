import { type AllowList, isAllowed } from "./allow-list.ts";
import { parseAddress } from "./classify-address.ts";
import { isOrdinaryPort } from "./ports.ts";

export type UrlRefusalCode = "invalid_url" | "scheme_not_allowed" | "userinfo_not_allowed" | "blocked";

export type CheckedUrl =
  | {
      readonly ok: true;
      /** Canonical and without fragment: the form to show and to call. */
      readonly url: URL;
      /** Canonical host without brackets, port or trailing dot: a name in ASCII or an IP address. */
      readonly host: string;
      readonly port: number;
    }
  | { readonly ok: false; readonly code: UrlRefusalCode; readonly message: string };

/** The one sentence for every refused address or port, so that it tells nothing about what is there. */
export const blockedMessage =
  "This address or port may not be called from here. The operator of this server can allow it with CATCHMENT_EGRESS_ALLOW.";

/**
 * Checks a URL as far as that goes without resolving names: for saving a URL and, once more, before a call.
 * Names are decided when connecting, on the addresses they resolve to.
 *
 * `URL` canonicalises the spellings of IP literals (decimal, octal, hex, short, full-width, trailing dot:
 * https://url.spec.whatwg.org/#host-parsing), so the literal is judged in the form that is connected to.
 */
export function checkUrl(text: string, allowList: AllowList = []): CheckedUrl {
  if (hasConfusingSyntax(text)) {
    return refuse("invalid_url", "The URL has a backslash or a control character before its path ends.");
  }
  const url = URL.parse(text);
  if (url === null) {
    return refuse("invalid_url", "This is not an absolute URL; write it like https://example.com/path.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refuse("scheme_not_allowed", "The URL must begin with http:// or https://.");
  }
  if (!/^\s*https?:\/\/[^/]/i.test(text)) {
    return refuse("invalid_url", "The URL needs exactly two slashes behind its scheme.");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse(
      "userinfo_not_allowed",
      "The URL must not hold a user or password; use an Authorization header.",
    );
  }
  url.hash = "";
  const host = canonicalHost(url);
  const port = effectivePort(url);
  const mayConnect =
    parseAddress(host) === null ? isNamePortAllowed(port, allowList) : isAllowed(host, port, allowList);
  if (!mayConnect) return refuse("blocked", blockedMessage);
  return { ok: true, url, host, port };
}

/** Host of a parsed URL without brackets and without the trailing dot of a fully qualified name. */
export function canonicalHost(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** Port of a parsed http(s) URL, with the default of its scheme filled in. */
export function effectivePort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** `URL` drops tabs and newlines and reads `\` as `/`: what a person read is then not what is called. */
function hasConfusingSyntax(text: string): boolean {
  const untilQuery = text.trim().split(/[?#]/, 1)[0] ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\u0000-\u001f\u007f\\]/.test(untilQuery) || /[\r\n\t\u0000]/.test(text.trim());
}

/** A name may still resolve into a rule that spells out the port; that is seen when connecting. */
function isNamePortAllowed(port: number, allowList: AllowList): boolean {
  return isOrdinaryPort(port) || allowList.some((rule) => rule.port === port);
}

function refuse(code: UrlRefusalCode, message: string): CheckedUrl {
  return { ok: false, code, message };
}
