import type { Pair } from "#components/ui/form/pairs.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { type CurlOptions, readCurlOptions } from "./curl-options.ts";
import { type AuthDraft, newRequest, type RequestDraft } from "./request-draft.ts";

type ParsedCurl =
  /** `notes` list the omitted parts of the command, and why. */
  | {
      readonly ok: true;
      readonly request: Partial<RequestDraft>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a curl command, as browser developer tools and API docs write it, into the fields of an
 * action. Credentials from an Authorization header or `-u` become the action's credentials, which
 * are stored encrypted.
 */
export function parseCurlCommand(command: string): ParsedCurl {
  const read = readCurlOptions(command);
  return read.ok ? toDraft(read.options) : read;
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** Headers that Catchment or the connection sets, or that have their own option. */
const leftOut =
  /^(?:host|content-length|connection|accept-encoding|user-agent|expect|te|transfer-encoding|idempotency-key|keep-alive|upgrade|proxy-.*|webhook-.*|catchment-.*)$/i;

function toDraft(read: CurlOptions): ParsedCurl {
  const [first, ...others] = read.urls;
  if (first === undefined) return reject("The command has no URL.");
  const notes = [...read.notes];
  if (others.length > 0) notes.push("Only the first URL was used.");
  const text = read.data.join(read.isJson ? "" : "&");
  if (read.parts.length > 0 && read.data.length > 0)
    return reject("The command has a form (-F) and a body (-d). Leave one of them out.");
  const isSent = read.data.length + read.parts.length > 0;
  const method = read.method ?? (isSent && !read.isGet ? "POST" : "GET");
  if (!methods.has(method)) return reject(`An action can't make ${method.slice(0, 20)} calls.`);
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(first) ? first : `http://${first}`;
  const url =
    read.isGet && text !== ""
      ? `${withScheme}${withScheme.includes("?") ? "&" : "?"}${text}`
      : withScheme;
  const dropped = read.headers.filter(([name]) => leftOut.test(name)).map(([name]) => name);
  if (dropped.length > 0)
    notes.push(`Set by Catchment or the connection, and left out: ${dropped.join(", ")}.`);
  const kept = read.headers.filter(([name]) => !leftOut.test(name));
  const { auth, headers } = takeAuth(kept, read.user);
  const mayHaveBody = !read.isGet && method !== "GET" && method !== "HEAD";
  const body = !mayHaveBody
    ? { bodyMode: "none" as const, headers }
    : read.parts.length > 0
      ? toMultipart(read.parts, headers)
      : text === ""
        ? { bodyMode: "none" as const, headers }
        : toBody(text, headers, read.isJson);
  const { headers: bodyHeaders, ...bodyDraft } = body;
  return {
    ok: true,
    notes,
    request: {
      method,
      url: url.split("#")[0] ?? "",
      query: [],
      auth,
      headers: toPairs(bodyHeaders),
      ...bodyDraft,
    },
  };
}

type HeaderPairs = readonly (readonly [name: string, value: string])[];

function toPairs(headers: HeaderPairs): readonly Pair[] {
  const distinct = new Map(headers.map(([name, value]) => [name.toLowerCase(), { name, value }]));
  return [...distinct.values()].map(({ name, value }, key) => ({ key, name, value }));
}

/** A file on someone's computer becomes one from base64, whose value is still missing. */
function toMultipart(
  parts: CurlOptions["parts"],
  headers: HeaderPairs,
): Partial<Omit<RequestDraft, "headers">> & { headers: HeaderPairs } {
  return {
    bodyMode: "multipart",
    parts: parts.map(({ name, value, fileName, contentType, file }, key) => ({
      key,
      name,
      value,
      kind: fileName === null ? "field" : file === null ? "text" : "base64",
      fileName: fileName ?? "",
      contentType: contentType ?? "",
    })),
    headers: headers.filter(([name]) => name.toLowerCase() !== "content-type"),
  };
}

/** JSON becomes a mappable body. Other bodies become text with the type curl would send. */
function toBody(
  text: string,
  headers: HeaderPairs,
  isJson: boolean,
): Omit<Partial<RequestDraft>, "headers"> & { headers: HeaderPairs } {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
  const saysJson = isJson || (type !== null && /\bjson\b/i.test(type));
  const parsed = saysJson ? parseExactJson(text) : null;
  if (parsed?.ok === true) {
    const others = headers.filter(
      ([name, value]) =>
        name.toLowerCase() !== "content-type" || !/^application\/json/i.test(value),
    );
    return { bodyMode: "json", bodyJson: JSON.stringify(parsed.value, null, 2), headers: others };
  }
  const typed: HeaderPairs =
    type === null
      ? [
          ...headers,
          ["Content-Type", isJson ? "application/json" : "application/x-www-form-urlencoded"],
        ]
      : headers;
  return { bodyMode: "text", bodyText: text, headers: typed };
}

/** Moves credentials out of the headers, which everyone who can view the action can read. */
function takeAuth(
  headers: HeaderPairs,
  user: string | null,
): { auth: AuthDraft; headers: HeaderPairs } {
  const isAuth = ([name]: readonly [string, string]) => name.toLowerCase() === "authorization";
  const rest = headers.filter((header) => !isAuth(header));
  const [scheme = "", ...credentials] = headers.find(isAuth)?.[1].split(/\s+/) ?? [];
  const token = credentials.join(" ");
  if (/^bearer$/i.test(scheme) && token !== "")
    return { auth: { ...newRequest.auth, type: "bearer", token }, headers: rest };
  const pair = user ?? (/^basic$/i.test(scheme) ? decodeBase64(token) : null);
  if (pair !== null) {
    const at = pair.indexOf(":");
    const username = at === -1 ? pair : pair.slice(0, at);
    const password = at === -1 ? "" : pair.slice(at + 1);
    return { auth: { ...newRequest.auth, type: "basic", username, password }, headers: rest };
  }
  const key = headers.find(([name]) => keyHeaders.has(name.toLowerCase()));
  if (key === undefined) return { auth: newRequest.auth, headers };
  const auth = { ...newRequest.auth, type: "header", headerName: key[0], value: key[1] } as const;
  return { auth, headers: headers.filter((header) => header !== key) };
}

const keyHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-auth-token",
]);

function decodeBase64(text: string): string | null {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

function reject(message: string): ParsedCurl {
  return { ok: false, message };
}
