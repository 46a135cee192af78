import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { CatchHookRow } from "#lib/db/hooks/catch-hook.ts";

/** The parts of a request that are credentials, so they are not stored in clear. */
export type Redaction = {
  readonly headerNames: ReadonlySet<string>;
  readonly query: (query: string, hide?: Hide) => string;
  readonly path: (path: string, hide?: Hide) => string;
};

/** Replaces a credential. */
export type Hide = (value: string) => string;

export const toMark: Hide = () => redactionMark;

const always = ["authorization", "proxy-authorization", "cookie", "x-api-key"];

export const noRedaction: Redaction = {
  headerNames: new Set(),
  query: (query) => query,
  path: (path) => path,
};

export function createRedaction(row: Pick<CatchHookRow, "provider" | "verification">): Redaction {
  const scheme = row.provider === "custom" ? row.verification : findProvider(row.provider)?.scheme;
  const source = readTokenSource(scheme);
  const redaction = { ...noRedaction, headerNames: new Set(always) };
  switch (source?.from) {
    case "header":
      return { ...redaction, headerNames: new Set([...always, source.name]) };
    case "query":
      return {
        ...redaction,
        query: (query, hide = toMark) => redactParameter(query, source.name, hide),
      };
    case "path":
      return { ...redaction, path: redactSegment };
    default:
      return redaction;
  }
}

/** `name` is empty for a token in the path. */
function readTokenSource(scheme: unknown): { from: string; name: string } | null {
  if (
    typeof scheme !== "object" ||
    scheme === null ||
    !("kind" in scheme) ||
    scheme.kind !== "token"
  )
    return null;
  if (!("source" in scheme) || typeof scheme.source !== "object" || scheme.source === null)
    return null;
  const { from, name = "" } = scheme.source as Record<string, unknown>;
  return typeof from === "string" && typeof name === "string"
    ? { from, name: name.toLowerCase() }
    : null;
}

/** The first segment of `/TOKEN/any/path`. */
function redactSegment(path: string, hide: Hide = toMark): string {
  return path.replace(/^\/([^/]+)/, (_segment, token: string) => `/${hide(token)}`);
}

function redactParameter(query: string, name: string, hide: Hide): string {
  return query
    .split("&")
    .map((pair) => {
      const [key = ""] = pair.split("=", 1);
      return decodeKey(key).toLowerCase() === name
        ? `${key}=${hide(pair.slice(key.length + 1))}`
        : pair;
    })
    .join("&");
}

/** Decodes like verification does: `%54oken` is `Token`. */
function decodeKey(key: string): string {
  return new URLSearchParams(`${key}=`).keys().next().value ?? "";
}

/**
 * Headers as JSON `[[name, value], …]`, in their original order and letter case. Credentials are
 * replaced, so that they are not stored in clear.
 */
export function toHeadersJson(
  rawHeaders: readonly string[],
  redactedNames: ReadonlySet<string>,
  hide: Hide = toMark,
): string {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    pairs.push([name, redactedNames.has(name.toLowerCase()) ? hide(value) : value]);
  }
  return JSON.stringify(pairs);
}
