import { type Pair, toPairs } from "#components/ui/form/pairs.ts";
import { readJsonField } from "#components/ui/form/read-json-field.ts";
import type { ReadForm } from "#components/ui/form/send-json.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";
import {
  type ActionOptionName,
  type ActionOptions,
  mapOptions,
} from "#lib/schema/action/action-options.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import type { Forward } from "#lib/schema/action/forward.ts";
import { defaultRetryPolicy, type RetryPolicy } from "#lib/schema/action/retry-policy.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";
import { type FilterDraft, noFilter, readFilterDraft, toFilterDraft } from "./filter-draft.ts";
import { noRate, type RateDraft, readRateDraft, toRateDraft } from "./rate-draft.ts";
import { type RetryDraft, readRetryDraft, toRetryDraft } from "./retry-draft.ts";

/** An action as text fields, before parsing. */
export type ActionDraft = {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
  readonly bodyMode: BodyMode;
  readonly bodyFields: readonly Pair[];
  readonly bodyJson: string;
  readonly bodyText: string;
  readonly forward: ForwardDraft;
  readonly auth: AuthDraft;
  readonly enabled: boolean;
  /** Empty: last. */
  readonly position: string;
  readonly filter: FilterDraft;
  readonly retry: RetryDraft;
  readonly options: OptionTexts;
} & RateDraft;

export type OptionTexts = Readonly<Record<ActionOptionName, string>>;

export type BodyMode = "none" | "fields" | "json" | "text" | "forward";
/** What to forward of the delivery besides its bytes. */
export type ForwardDraft = {
  readonly method: boolean;
  readonly query: boolean;
  readonly headers: "all" | "named" | "none";
  /** Separated by commas, spaces, or lines. */
  readonly headerNames: string;
};
export type AuthDraft = {
  readonly type: "keep" | "none" | "bearer" | "basic" | "header" | "query" | "body";
  readonly token: string;
  readonly username: string;
  readonly password: string;
  readonly headerName: string;
  readonly value: string;
};

const noAuth: AuthDraft = {
  type: "none",
  token: "",
  username: "",
  password: "",
  headerName: "",
  value: "",
};

const everything: ForwardDraft = { method: true, query: true, headers: "all", headerNames: "" };

export const newDraft: ActionDraft = {
  name: "",
  method: "POST",
  url: "",
  headers: [],
  query: [],
  bodyMode: "fields",
  bodyFields: [{ key: 0, name: "", value: "" }],
  bodyJson: "",
  bodyText: "",
  forward: everything,
  auth: noAuth,
  enabled: true,
  position: "",
  filter: noFilter,
  retry: toRetryDraft(defaultRetryPolicy),
  options: mapOptions((_name, option) => writeOption(option.default, option.scale)),
  ...noRate,
};

type SavedAction = {
  readonly name: string;
  readonly enabled: boolean;
  readonly position: number;
  readonly request: ActionRequestTemplate;
  readonly filter: ActionFilter | null;
  readonly retry: RetryPolicy;
  readonly rateLimit: RateLimit | null;
} & ActionOptions;

/** A saved action as a draft. Credentials are write-only: they are kept unless typed again. */
export function toDraft(saved: SavedAction, hasAuth: boolean): ActionDraft {
  const { name } = saved;
  const { method, url, headers, query } = saved.request;
  return {
    ...newDraft,
    name,
    method,
    url,
    headers: toPairs(headers),
    query: toPairs(query),
    ...toBodyDraft(saved.request),
    auth: { ...noAuth, type: hasAuth ? "keep" : "none" },
    enabled: saved.enabled,
    position: String(saved.position),
    filter: toFilterDraft(saved.filter),
    retry: toRetryDraft(saved.retry),
    options: mapOptions((option, { scale }) => writeOption(saved[option], scale)),
    ...toRateDraft(saved.rateLimit),
  };
}

function toBodyDraft({ body, bodyText, forward }: ActionRequestTemplate): Partial<ActionDraft> {
  if (forward !== null) return { bodyMode: "forward", forward: toForwardDraft(forward) };
  if (bodyText !== null) return { bodyMode: "text", bodyText };
  if (body === null) return { bodyMode: "none" };
  const fields = toTextFields(body);
  if (fields !== null) return { bodyMode: "fields", bodyFields: fields };
  return { bodyMode: "json", bodyJson: JSON.stringify(body, null, 2) };
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

/** The draft as input for the API's `POST /hooks/{id}/actions`, whose schema checks the rest. */
export function readDraft(draft: ActionDraft): ReadForm<Readonly<Record<string, unknown>>> {
  const errors: FieldError[] = [];
  const headers = readDistinctPairs(draft.headers, "request.headers", errors, true);
  const query = readDistinctPairs(draft.query, "request.query", errors, false);
  const body = readBody(draft, errors);
  const options = readOptions(draft.options, errors);
  const filter = readFilterDraft(draft.filter);
  if (!filter.ok) errors.push(...filter.errors);
  const retry = readRetryDraft(draft.retry);
  if (!retry.ok) errors.push(...retry.errors);
  const position = readWhole(draft.position, "position", errors);
  if (errors.length > 0 || !filter.ok || !retry.ok) return { ok: false, errors };
  const { name, method, enabled } = draft;
  const request = {
    method,
    url: draft.url.trim(),
    headers,
    query,
    ...body,
    ...readAuth(draft.auth),
  };
  const order = position === null ? {} : { position };
  const input = {
    name,
    enabled,
    ...order,
    filter: filter.filter,
    request,
    retry: retry.policy,
    rateLimit: readRateDraft(draft),
  };
  return { ok: true, input: { ...input, ...options } };
}

/** Null if empty. */
function writeOption(value: number | null, scale: number): string {
  return value === null ? "" : String(value / scale);
}

function readOptions(texts: OptionTexts, errors: FieldError[]) {
  return mapOptions((name, option) => {
    const text = texts[name].trim();
    if (text === "" && option.default === null) return null;
    const number = Number(text) * option.scale;
    const value = option.scale === 1 ? number : Math.round(number);
    if (text === "" || !Number.isInteger(value) || value < option.min || value > option.max)
      errors.push({ path: name, code: "out_of_range", message: option.invalid });
    return value;
  });
}

function readWhole(text: string, path: string, errors: FieldError[]): number | null {
  if (text.trim() === "") return null;
  if (/^\d{1,6}$/.test(text.trim())) return Number(text);
  errors.push({ path, code: "invalid_type", message: "must be a whole number" });
  return null;
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

function readBody(draft: ActionDraft, errors: FieldError[]) {
  if (draft.bodyMode === "forward") return { forward: readForward(draft.forward, errors) };
  if (draft.method === "GET" || draft.method === "HEAD") return {};
  switch (draft.bodyMode) {
    case "none":
      return {};
    case "fields": {
      const body = readDistinctPairs(draft.bodyFields, "request.body", errors, false);
      return Object.keys(body).length === 0 ? {} : { body };
    }
    case "json": {
      const read = readJsonField("request.body", draft.bodyJson);
      if (read.ok) return { body: read.value };
      errors.push(...read.errors);
      return {};
    }
    case "text":
      return { bodyText: draft.bodyText };
    default:
      return draft.bodyMode satisfies never;
  }
}

function readForward({ method, query, headers, headerNames }: ForwardDraft, errors: FieldError[]) {
  if (headers === "all") return { method, query, headers };
  const names = headers === "none" ? [] : headerNames.split(/[\s,]+/).filter((name) => name !== "");
  if (headers === "named" && names.length === 0)
    errors.push({
      path: "request.forward.headers",
      code: "required",
      message: "must name at least one header",
    });
  return { method, query, headers: names };
}

function readAuth({ type, token, username, password, headerName, value }: AuthDraft) {
  switch (type) {
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
