import type { FieldErrorCode } from "#lib/schema/field/command-result.ts";
import { type AllowList, type IsOrdinary, isAllowed } from "./allow-list.ts";
import { parseAddress } from "./classify-address.ts";
import { isOrdinaryPort } from "./ports.ts";

type UrlErrorCode = "invalid_url" | "scheme_not_allowed" | "userinfo_not_allowed" | "blocked";

export type CheckedUrl =
  | {
      readonly ok: true;
      /** Canonical, without fragment: the form to show and to request. */
      readonly url: URL;
      /** Canonical host without brackets, port, or trailing dot: an ASCII name or an IP address. */
      readonly host: string;
      readonly port: number;
    }
  | { readonly ok: false; readonly code: UrlErrorCode; readonly message: string };

/** The code of the input field. */
export function toFieldCode(code: UrlErrorCode): FieldErrorCode {
  return code === "invalid_url" ? "invalid_value" : "not_allowed";
}

/** The same message for all blocked addresses and ports, so that it reveals nothing about them. */
export const blockedMessage =
  "This address or port is not allowed. The operator of this server can allow it with CATCHMENT_EGRESS_ALLOW.";

/**
 * Checks a URL without resolving names, on save and before each request. Resolved addresses are
 * checked when connecting.
 *
 * `URL` canonicalizes IP literals (decimal, octal, hex, short, full-width, trailing dot:
 * https://url.spec.whatwg.org/#host-parsing), so the check uses the address that is connected to.
 */
export function checkUrl(text: string, allowList: AllowList = []): CheckedUrl {
  if (hasConfusingSyntax(text)) {
    return reject("invalid_url", "The URL contains a backslash or a control character.");
  }
  const url = URL.parse(text);
  if (url === null) {
    return reject(
      "invalid_url",
      "This is not an absolute URL. Use the form https://example.com/path.",
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return reject("scheme_not_allowed", "The URL must start with http:// or https://.");
  }
  if (!/^\s*https?:\/\/[^/]/i.test(text)) {
    return reject("invalid_url", "The URL needs exactly two slashes after its scheme.");
  }
  if (url.username !== "" || url.password !== "") {
    return reject(
      "userinfo_not_allowed",
      "The URL must not contain a username or password. Use an Authorization header.",
    );
  }
  url.hash = "";
  const host = canonicalHost(url);
  const port = effectivePort(url);
  if (!mayConnect(host, port, allowList)) return reject("blocked", blockedMessage);
  return { ok: true, url, host, port };
}

/** True if a host may be connected to, as far as its text shows. */
export function mayConnect(
  host: string,
  port: number,
  allowList: AllowList,
  isOrdinary: IsOrdinary = isOrdinaryPort,
): boolean {
  return parseAddress(host) === null
    ? isNamePortAllowed(port, allowList, isOrdinary)
    : isAllowed(host, port, allowList, isOrdinary);
}

/** The host of a URL without brackets and trailing dot. */
export function canonicalHost(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** The port of a URL, or the default of its scheme. */
export function effectivePort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/**
 * `URL` drops tabs and newlines and reads `\` as `/`, so the URL would differ from what a person
 * reads.
 */
export function hasConfusingSyntax(text: string): boolean {
  const untilQuery = text.trim().split(/[?#]/, 1)[0] ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  return /[\u0000-\u001f\u007f\\]/.test(untilQuery) || /[\r\n\t\u0000]/.test(text.trim());
}

/**
 * A name may still resolve to an address with a rule for the port, which is checked when
 * connecting.
 */
function isNamePortAllowed(port: number, allowList: AllowList, isOrdinary: IsOrdinary): boolean {
  return isOrdinary(port) || allowList.some((rule) => rule.port === port);
}

function reject(code: UrlErrorCode, message: string): CheckedUrl {
  return { ok: false, code, message };
}
