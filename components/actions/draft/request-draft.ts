import { type Pair, toPairs } from "#components/ui/form/pairs.ts";
import { readJsonField } from "#components/ui/form/read-json-field.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { Forward } from "#lib/schema/act/forward.ts";
import type { MultipartPart, PartContent } from "#lib/schema/act/multipart.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** The request of a call as text fields, before parsing. */
export type RequestDraft = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
  readonly bodyMode: BodyMode;
  readonly bodyFields: readonly Pair[];
  readonly bodyJson: string;
  readonly bodyText: string;
  readonly parts: readonly PartDraft[];
  readonly forward: ForwardDraft;
  readonly auth: AuthDraft;
  /** Null: the request has its own limits and credentials. */
  readonly destinationId: string | null;
};

export type BodyMode = "none" | "fields" | "json" | "text" | "multipart" | "forward";
/** A part of a multipart body: a field, or a file from a text, from base64, or of the delivery's bytes. */
export type PartDraft = {
  readonly key: number;
  readonly kind: PartKind;
  readonly name: string;
  readonly value: string;
  readonly fileName: string;
  readonly contentType: string;
};
export type PartKind = "field" | PartContent;
/** The parts of the delivery to forward in addition to its bytes. */
export type ForwardDraft = {
  readonly method: boolean;
  readonly query: boolean;
  readonly headers: "all" | "named" | "none";
  /** Separated by commas, spaces, or lines. */
  readonly headerNames: string;
};
export type AuthDraft = {
  readonly type: "keep" | "none" | "credential" | "bearer" | "basic" | "header" | "query" | "body";
  /** The id of a saved credential. */
  readonly credentialId: string;
  readonly token: string;
  readonly username: string;
  readonly password: string;
  readonly headerName: string;
  readonly value: string;
};

const noAuth: AuthDraft = {
  type: "none",
  credentialId: "",
  token: "",
  username: "",
  password: "",
  headerName: "",
  value: "",
};

const everything: ForwardDraft = { method: true, query: true, headers: "all", headerNames: "" };

export const newRequest: RequestDraft = {
  method: "POST",
  url: "",
  headers: [],
  query: [],
  bodyMode: "fields",
  bodyFields: [{ key: 0, name: "", value: "" }],
  bodyJson: "",
  bodyText: "",
  parts: [{ key: 0, kind: "field", name: "", value: "", fileName: "", contentType: "" }],
  forward: everything,
  auth: noAuth,
  destinationId: null,
};

/** A saved request as a draft. Credentials are write-only: they are kept unless typed again. */
export function toRequestDraft(request: ActionRequestTemplate, hasAuth: boolean): RequestDraft {
  const { method, url, headers, query } = request;
  return {
    ...newRequest,
    method,
    url,
    headers: toPairs(headers),
    query: toPairs(query),
    ...toBodyDraft(request),
    auth: toAuthDraft(request.credentialId, hasAuth),
    destinationId: request.destinationId ?? null,
  };
}

function toAuthDraft(credentialId: string | undefined, hasAuth: boolean): AuthDraft {
  if (credentialId !== undefined) return { ...noAuth, type: "credential", credentialId };
  return { ...noAuth, type: hasAuth ? "keep" : "none" };
}

function toBodyDraft(request: ActionRequestTemplate): Partial<RequestDraft> {
  const { body, bodyText, multipart, forward } = request;
  if (multipart !== undefined) return { bodyMode: "multipart", parts: multipart.map(toPartDraft) };
  if (forward !== null) return { bodyMode: "forward", forward: toForwardDraft(forward) };
  if (bodyText !== null) return { bodyMode: "text", bodyText };
  if (body === null) return { bodyMode: "none" };
  const fields = toTextFields(body);
  if (fields !== null) return { bodyMode: "fields", bodyFields: fields };
  return { bodyMode: "json", bodyJson: JSON.stringify(body, null, 2) };
}

function toPartDraft(part: MultipartPart, key: number): PartDraft {
  const { name, content, value, fileName, contentType } = part;
  const kind = fileName === null ? "field" : content;
  return { key, kind, name, value, fileName: fileName ?? "", contentType: contentType ?? "" };
}

function toForwardDraft({ method, query, headers }: Forward): ForwardDraft {
  if (headers === "all") return { ...everything, method, query };
  const choice = headers.length === 0 ? "none" : "named";
  return { method, query, headers: choice, headerNames: headers.join(", ") };
}

function toTextFields(body: JsonValue): readonly Pair[] | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const entries = Object.entries(body);
  if (entries.length === 0 || !entries.every(([, value]) => typeof value === "string")) return null;
  return toPairs(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])));
}

/**
 * The draft as the API's `request`. Fields that can't be read are reported in `errors`, with paths
 * below `at`.
 */
export function readRequestDraft(
  draft: RequestDraft,
  at: string,
  errors: FieldError[],
): Readonly<Record<string, unknown>> {
  return {
    method: draft.method,
    url: draft.url.trim(),
    headers: readDistinctPairs(draft.headers, `${at}.headers`, errors, true),
    query: readDistinctPairs(draft.query, `${at}.query`, errors, false),
    ...readBody(draft, at, errors),
    ...readAuth(draft.auth),
    ...(draft.destinationId === null ? {} : { destinationId: draft.destinationId }),
  };
}

function readDistinctPairs(
  pairs: readonly Pair[],
  path: string,
  errors: FieldError[],
  isCaseless: boolean,
): Readonly<Record<string, string>> {
  const read = new Map<string, string>();
  const seen = new Set<string>();
  for (const { name, value } of pairs) {
    if (name === "" && value === "") continue;
    const known = isCaseless ? name.toLowerCase() : name;
    if (name === "") errors.push({ path, code: "required", message: "has a value without a name" });
    else if (seen.has(known))
      errors.push({ path, code: "duplicate", message: `has ${name} twice`, name });
    seen.add(known);
    read.set(name, value);
  }
  return Object.fromEntries(read);
}

function readBody(draft: RequestDraft, at: string, errors: FieldError[]) {
  if (draft.bodyMode === "forward") return { forward: readForward(draft.forward, at, errors) };
  if (draft.method === "GET" || draft.method === "HEAD") return {};
  switch (draft.bodyMode) {
    case "none":
      return {};
    case "fields": {
      const body = readDistinctPairs(draft.bodyFields, `${at}.body`, errors, false);
      return Object.keys(body).length === 0 ? {} : { body };
    }
    case "json": {
      const read = readJsonField(`${at}.body`, draft.bodyJson);
      if (read.ok) return { body: read.value };
      errors.push(...read.errors);
      return {};
    }
    case "text":
      return { bodyText: draft.bodyText };
    case "multipart": {
      const filled = draft.parts.filter(isFilled);
      return filled.length === 0 ? {} : { multipart: filled.map(readPart) };
    }
    default:
      return draft.bodyMode satisfies never;
  }
}

/** True for a part that someone began to fill in. An empty row is left out. */
export function isFilled({ kind, name, value, fileName }: PartDraft): boolean {
  return kind !== "field" || name !== "" || value !== "" || fileName !== "";
}

function readPart({ kind, name, value, fileName, contentType }: PartDraft) {
  const type = contentType.trim() === "" ? {} : { contentType: contentType.trim() };
  if (kind === "field") return { name, content: "text", value, ...type };
  const file = { name, content: kind, fileName, ...type };
  return kind === "delivery" ? file : { ...file, value };
}

function readForward(
  { method, query, headers, headerNames }: ForwardDraft,
  at: string,
  errors: FieldError[],
) {
  if (headers === "all") return { method, query, headers };
  const names = headers === "none" ? [] : headerNames.split(/[\s,]+/).filter((name) => name !== "");
  if (headers === "named" && names.length === 0)
    errors.push({
      path: `${at}.forward.headers`,
      code: "required",
      message: "must name at least one header",
    });
  return { method, query, headers: names };
}

function readAuth({ type, credentialId, ...auth }: AuthDraft) {
  const { token, username, password, headerName, value } = auth;
  switch (type) {
    case "credential":
      return { auth: { type, credentialId } };
    case "keep":
      return {};
    case "none":
      return { auth: null };
    case "bearer":
      return { auth: { type, token } };
    case "basic":
      return { auth: { type, username, password } };
    case "header":
    case "query":
    case "body":
      return { auth: { type, name: headerName, value } };
    default:
      return type satisfies never;
  }
}
