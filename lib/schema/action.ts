/** What an action is, as the API, the form and the database exchange it. */
import { z } from "zod";
import { actionFilterSchema } from "./action-filter.ts";
import { displayName } from "./common.ts";
import { describeJsonProblem, type JsonValue } from "./json-value.ts";
import { defaultRetryPolicy } from "./retry-policy.ts";

const maxTemplateChars = 64 * 1024;
const maxEntries = 50;

const template = z.string().max(maxTemplateChars, `must have at most ${maxTemplateChars} characters`);

/** Methods that carry no body. */
const bodylessMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Set by us or by the connection; from a user they would break the framing, the address guard or the idempotency of retries. */
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
    "this header is set by Catchment or by the connection and can't be chosen",
  );

const headerValue = z
  .string()
  .max(8192, "a header value must have at most 8192 characters")
  .refine((text) => !/[\r\n\0]/.test(text), "a header value must not hold CR, LF or NUL");

const headers = z
  .record(headerName, headerValue)
  .refine((entries) => Object.keys(entries).length <= maxEntries, `at most ${maxEntries} headers`)
  .refine(hasDistinctNames, "the same header is there twice, in different letter case");

function hasDistinctNames(entries: Record<string, string>): boolean {
  const names = Object.keys(entries);
  return new Set(names.map((text) => text.toLowerCase())).size === names.length;
}

const query = z
  .record(
    z
      .string()
      .min(1, "a query name must not be empty")
      .max(256, "a query name must have at most 256 characters"),
    template,
  )
  .refine((entries) => Object.keys(entries).length <= maxEntries, `at most ${maxEntries} query values`);

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
  );

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
    // RFC 7617 §2: a colon would end the user name. Empty is allowed: many services take a key as the name alone.
    username: z
      .string()
      .max(1024, "must have at most 1024 characters")
      .refine((text) => !/[:\p{Cc}]/u.test(text), "must not hold a colon or control characters"),
    password: z
      .string()
      .max(4096, "must have at most 4096 characters")
      .refine((text) => !/\p{Cc}/u.test(text), "must not hold control characters"),
  }),
  z.strictObject({ type: z.literal("header"), name: headerName, value: credential }),
]);

/** Credentials of an action. Write-only: stored encrypted and apart from the request, never answered. */
export type RequestAuth = z.infer<typeof auth>;

const request = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], {
      error: "must be GET, HEAD, POST, PUT, PATCH or DELETE",
    }),
    url,
    headers: headers.default({}),
    query: query.default({}),
    /** Any JSON value; strings in it are templates. Null: no body. */
    body: jsonBody.optional(),
    bodyText: template.min(1, "must not be empty; leave it out for no body").nullable().optional(),
    /** Left out of a change: the stored credentials stay. Null: none. */
    auth: auth.nullable().optional(),
  })
  .superRefine((value, ctx) => {
    const hasBody = value.body !== undefined && value.body !== null;
    const hasText = value.bodyText !== undefined && value.bodyText !== null;
    if (hasBody && hasText) addIssue(ctx, "bodyText", "body and bodyText can't both be there");
    if ((hasBody || hasText) && bodylessMethods.has(value.method)) {
      addIssue(ctx, hasBody ? "body" : "bodyText", `a ${value.method} request has no body`);
    }
    if (!value.auth) return;
    if (!/^https?:/i.test(value.url)) {
      addIssue(
        ctx,
        "auth",
        "credentials go to one fixed origin only; the URL must start with https:// or http://",
      );
    }
    const authHeader = value.auth.type === "header" ? value.auth.name.toLowerCase() : "authorization";
    if (Object.keys(value.headers).some((text) => text.toLowerCase() === authHeader)) {
      addIssue(ctx, "headers", `the header ${authHeader} is set by auth`);
    }
  })
  .transform(({ body, bodyText, auth: credentials, ...rest }) => ({
    ...rest,
    body: body ?? null,
    bodyText: bodyText ?? null,
    ...(credentials === undefined ? {} : { auth: credentials }),
  }));

function addIssue(ctx: z.RefinementCtx, path: string, message: string): void {
  ctx.addIssue({ code: "custom", path: [path], message });
}

/** What is stored and rendered; `auth` is kept apart. */
export type ActionRequestTemplate = {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  readonly bodyText: string | null;
};

const retryOn = z.union([z.enum(["connection", "timeout", "5xx"]), z.int().min(400).max(599)], {
  error: 'must be "connection", "timeout", "5xx" or a status from 400 to 599',
});

const dayMs = 86_400_000;

const retry = z
  .strictObject({
    /** The first one included: 1 means no retry. */
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
  .refine((value) => value.initialDelayMs <= value.maxDelayMs, {
    path: ["maxDelayMs"],
    message: "must not be less than initialDelayMs",
  });

const fields = {
  name: displayName,
  enabled: z.boolean(),
  position: z.int().min(0, "must be at least 0").max(10_000, "must be at most 10000"),
  filter: actionFilterSchema.nullable(),
  request,
  timeoutMs: z.int().min(100, "must be at least 100").max(60_000, "must be at most 60000"),
  retry,
  /** Calls of this action at the same time; null: no limit of its own. */
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

/** `PATCH /actions/{id}`: what is left out stays; `request` and `retry` are replaced whole. */
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
