/** An action, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { actionFilterSchema } from "./action-filter.ts";
import { displayName } from "./common.ts";
import { type Forward, forwardSchema } from "./forward.ts";
import { describeJsonProblem, ExactNumber, type JsonValue } from "./json-value.ts";
import { defaultRetryPolicy } from "./retry-policy.ts";

const maxTemplateChars = 64 * 1024;
const maxEntries = 50;

const template = z
  .string()
  .max(maxTemplateChars, `must have at most ${maxTemplateChars} characters`);

/** Methods without a body. */
const bodylessMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Set by us or the connection. User values would break framing, the address guard, or idempotency.
 */
const reservedHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const reservedPrefixes = ["proxy-", "webhook-", "catchment-"];

/** Whether a header of an action may have that name; letter case does not matter. */
export function isReservedHeader(headerName: string): boolean {
  const lower = headerName.toLowerCase();
  return reservedHeaders.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** RFC 9110 §5.6.2. */
const headerName = z
  .string()
  .min(1, "a header name must not be empty")
  .max(128, "a header name must have at most 128 characters")
  .regex(
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    "a header name must be a token (letters, digits and !#$%&'*+-.^_`|~)",
  )
  .refine(
    (text) => !isReservedHeader(text),
    "this header is set by Catchment and can't be changed",
  );

const headerValue = z
  .string()
  .max(8192, "a header value must have at most 8192 characters")
  .refine((text) => !/[\r\n\0]/.test(text), "a header value must not contain CR, LF, or NUL");

const headers = z
  .record(headerName, headerValue)
  .refine((entries) => Object.keys(entries).length <= maxEntries, `at most ${maxEntries} headers`)
  .refine(hasDistinctNames, "the same header appears twice, in different letter case");

function hasDistinctNames(entries: Record<string, string>): boolean {
  const names = Object.keys(entries);
  return new Set(names.map((text) => text.toLowerCase())).size === names.length;
}

const parameterName = z
  .string()
  .min(1, "a query name must not be empty")
  .max(256, "a query name must have at most 256 characters")
  .refine((text) => text.isWellFormed(), "a query name can't contain half of a surrogate pair");

const query = z
  .record(
    z
      .string()
      .min(1, "a query name must not be empty")
      .max(256, "a query name must have at most 256 characters"),
    template,
  )
  .refine(
    (entries) => Object.keys(entries).length <= maxEntries,
    `at most ${maxEntries} query values`,
  );

const bodyLimits = { maxDepth: 64, maxNodes: 5000, maxChars: 256 * 1024 };

const jsonBody = z.unknown().transform((value, ctx): JsonValue => {
  const problem = describeJsonProblem(value, bodyLimits);
  if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
  return problem === null ? (value as JsonValue) : null;
});

const url = template
  .min(1, "must not be empty")
  .max(8192, "must have at most 8192 characters")
  .refine(
    (text) => /^https?:\/\//i.test(text) || /^\s*\{\{/.test(text),
    "must start with https:// or http://, or be one single template {{ … }}",
  )
  .transform(toAsciiHost);

/**
 * An internationalized host in the ASCII form that is looked up (RFC 5891), wherever it is shown:
 * `аpple.com` with a Cyrillic letter is `xn--pple-43d.com`. Stored URLs are read through this too.
 */
function toAsciiHost(text: string): string {
  const [, scheme = "", authority = ""] = /^(https?:\/\/)([^/?#]*)/i.exec(text) ?? [];
  if (/^[\x20-\x7e]*$/.test(authority) || /[@{]/.test(authority)) return text;
  const url = URL.parse(`${scheme}${authority}/`);
  return url === null
    ? text
    : `${scheme}${url.host}${text.slice(scheme.length + authority.length)}`;
}

/** Visible ASCII: what may stand in a credential header. */
const credential = z
  .string()
  .min(1, "must not be empty")
  .max(8192, "must have at most 8192 characters")
  .regex(/^[\x20-\x7e]+$/, "must be visible ASCII characters");

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), token: credential }),
  z.strictObject({
    type: z.literal("basic"),
    // RFC 7617 §2: a colon would end the user name. Empty is allowed: many services take a key as
    // the name alone.
    username: z
      .string()
      .max(1024, "must have at most 1024 characters")
      .refine((text) => !/[:\p{Cc}]/u.test(text), "must not contain a colon or control characters"),
    password: z
      .string()
      .max(4096, "must have at most 4096 characters")
      .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters"),
  }),
  z.strictObject({ type: z.literal("header"), name: headerName, value: credential }),
  z.strictObject({ type: z.literal("query"), name: parameterName, value: credential }),
  // For receivers that look for it nowhere else: a field at the top of a JSON or form body.
  z.strictObject({ type: z.literal("body"), name: parameterName, value: credential }),
]);

/** Credentials of an action. Write-only: stored encrypted, never returned. */
export type RequestAuth = z.infer<typeof auth>;

const request = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], {
      error: "must be GET, HEAD, POST, PUT, PATCH, or DELETE",
    }),
    url,
    headers: headers.default({}),
    query: query.default({}),
    /** Any JSON value; strings in it are templates. Null: no body. */
    body: jsonBody.optional(),
    bodyText: template.min(1, "must not be empty; omit it for no body").nullable().optional(),
    /**
     * The delivery's own bytes as the body, with what else of it goes along. Null: the action makes
     * its body.
     */
    forward: forwardSchema.nullable().optional(),
    /** Left out of a change: the stored credentials stay. Null: none. */
    auth: auth.nullable().optional(),
  })
  .superRefine(checkBody, { when: isObject })
  .superRefine((value, ctx) => {
    if (!value.auth) return;
    if (!/^https?:/i.test(value.url)) {
      addIssue(
        ctx,
        "auth",
        "credentials need a fixed origin; the URL must start with https:// or http://",
      );
    }
    if (value.auth.type === "query") {
      if (Object.hasOwn(value.query, value.auth.name))
        addIssue(ctx, "query", `the parameter ${value.auth.name} is set by auth`);
      return;
    }
    if (value.auth.type === "body") {
      const body = isJsonObject(value.body) ? value.body : null;
      if (body === null)
        addIssue(ctx, "auth", "a credential in the body requires an object as the body");
      else if (Object.hasOwn(body, value.auth.name))
        addIssue(ctx, "body", `the field ${value.auth.name} is set by auth`);
      return;
    }
    const authHeader =
      value.auth.type === "header" ? value.auth.name.toLowerCase() : "authorization";
    if (Object.keys(value.headers).some((text) => text.toLowerCase() === authHeader)) {
      addIssue(ctx, "headers", `the header ${authHeader} is set by auth`);
    }
  })
  .transform(({ body, bodyText, forward, auth: credentials, ...rest }) => ({
    ...rest,
    body: body ?? null,
    bodyText: bodyText ?? null,
    forward: forward ?? null,
    ...(credentials === undefined ? {} : { auth: credentials }),
  }));

type RequestBody = {
  readonly method: string;
  readonly body?: JsonValue | undefined;
  readonly bodyText?: string | null | undefined;
  readonly forward?: { readonly method: boolean } | null | undefined;
};

/**
 * It runs although another field is wrong, so that an answer names them all: its own may be of any
 * type here.
 */
function checkBody({ method, body, bodyText, forward }: RequestBody, ctx: z.RefinementCtx): void {
  const hasBody = body !== undefined && body !== null;
  const hasText = bodyText !== undefined && bodyText !== null;
  const isForwarded = forward !== undefined && forward !== null;
  if (isForwarded && (hasBody || hasText))
    addIssue(ctx, "forward", "sends the delivery's own body; omit body and bodyText");
  if (isForwarded && forward.method === false && bodylessMethods.has(method))
    addIssue(ctx, "forward", `a ${method} request has no body to forward`);
  if (hasBody && hasText) addIssue(ctx, "bodyText", "body and bodyText can't be used together");
  if ((hasBody || hasText) && bodylessMethods.has(method))
    addIssue(ctx, hasBody ? "body" : "bodyText", `a ${method} request has no body`);
}

function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}

/** An object of JSON: neither a list nor a number that is kept digit for digit. */
function isJsonObject(
  value: JsonValue | undefined,
): value is { readonly [name: string]: JsonValue } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

function addIssue(ctx: z.RefinementCtx, path: string, message: string): void {
  ctx.addIssue({ code: "custom", path: [path], message });
}

/** What is stored and rendered. `auth` is stored separately. */
export type ActionRequestTemplate = {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  readonly bodyText: string | null;
  readonly forward: Forward | null;
};

const retryOn = z.union([z.enum(["connection", "timeout", "5xx"]), z.int().min(400).max(599)], {
  error: 'must be "connection", "timeout", "5xx" or a status from 400 to 599',
});

const dayMs = 86_400_000;

const retry = z
  .strictObject({
    /** Including the first one: 1 means no retries. */
    maxAttempts: z
      .int()
      .min(1, "must be at least 1")
      .max(20, "must be at most 20")
      .default(defaultRetryPolicy.maxAttempts),
    initialDelayMs: z
      .int()
      .min(100, "must be at least 100")
      .max(dayMs, "must be at most a day")
      .default(defaultRetryPolicy.initialDelayMs),
    maxDelayMs: z
      .int()
      .min(100, "must be at least 100")
      .max(dayMs, "must be at most a day")
      .default(defaultRetryPolicy.maxDelayMs),
    on: z
      .array(retryOn)
      .max(50, "at most 50 entries")
      .default([...defaultRetryPolicy.on]),
  })
  // Not `<=`: where one of them is no number, that is said of it already.
  .refine((value) => !(value.initialDelayMs > value.maxDelayMs), {
    path: ["maxDelayMs"],
    message: "must not be less than initialDelayMs",
    when: isObject,
  });

const fields = {
  name: displayName,
  enabled: z.boolean(),
  position: z.int().min(0, "must be at least 0").max(10_000, "must be at most 10000"),
  filter: actionFilterSchema.nullable(),
  request,
  timeoutMs: z.int().min(100, "must be at least 100").max(60_000, "must be at most 60000"),
  retry,
  /** Maximum concurrent requests of this action. Null: no limit. */
  maxConcurrency: z.int().min(1, "must be at least 1").max(1000, "must be at most 1000").nullable(),
};

/** `POST /hooks/{id}/actions`. Templates are checked apart, by `checkRequestTemplates`. */
export const actionInputSchema = z.strictObject({
  name: fields.name,
  enabled: fields.enabled.default(true),
  position: fields.position.optional(),
  filter: fields.filter.default(null),
  request: fields.request,
  timeoutMs: fields.timeoutMs.default(15_000),
  retry: fields.retry.prefault({}),
  maxConcurrency: fields.maxConcurrency.default(null),
});
export type ActionInput = z.infer<typeof actionInputSchema>;

/**
 * `PATCH /actions/{id}`: omitted fields stay unchanged; `request` and `retry` are replaced
 * completely.
 */
export const actionPatchSchema = z.strictObject({
  name: fields.name.optional(),
  enabled: fields.enabled.optional(),
  position: fields.position.optional(),
  filter: fields.filter.optional(),
  request: fields.request.optional(),
  timeoutMs: fields.timeoutMs.optional(),
  retry: fields.retry.optional(),
  maxConcurrency: fields.maxConcurrency.optional(),
});
export type ActionPatch = z.infer<typeof actionPatchSchema>;
