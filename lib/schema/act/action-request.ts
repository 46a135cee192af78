/** The request of an action, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { hasAtMost, isObjectValue } from "#lib/schema/field/common.ts";
import { describeJsonProblem, isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { type Forward, forwardSchema } from "./forward.ts";
import { type MultipartPart, multipartSchema } from "./multipart.ts";
import { authInput, destinationId, headerName } from "./request-auth.ts";

const maxTemplateChars = 64 * 1024;
const maxEntries = 50;

const template = z
  .string()
  .max(maxTemplateChars, `must have at most ${maxTemplateChars} characters`);

/** Methods without a body. */
const bodylessMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const headerValue = z
  .string()
  .max(8192, "a header value must have at most 8192 characters")
  .refine((text) => !/[\r\n\0]/.test(text), "a header value must not contain CR, LF, or NUL");

const headers = z
  .record(headerName, headerValue)
  .refine(...hasAtMost(maxEntries, `at most ${maxEntries} headers`))
  .refine(
    hasDistinctNames,
    brokenRule("duplicate", "the same header appears twice, in different letter case"),
  );

export function hasDistinctNames(entries: object): boolean {
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
  .refine(...hasAtMost(maxEntries, `at most ${maxEntries} query values`));

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
    "must start with https:// or http://, or be a single template {{ … }}",
  )
  .transform(toAsciiHost);

/**
 * An internationalized host in the ASCII form that is looked up (RFC 5891). We show this form
 * everywhere: `аpple.com` with a Cyrillic letter is `xn--pple-43d.com`. Stored URLs are read
 * through this function too.
 */
export function toAsciiHost(text: string): string {
  const [, scheme = "", authority = ""] = /^(https?:\/\/)([^/?#]*)/i.exec(text) ?? [];
  // A backslash ends a host, and tabs are dropped from it: `checkUrl` rejects the URL as it is.
  if (/^[\x20-\x7e]*$/.test(authority) || /[@{\\\t\r\n]/.test(authority)) return text;
  const url = URL.parse(`${scheme}${authority}/`);
  return url === null
    ? text
    : `${scheme}${url.host}${text.slice(scheme.length + authority.length)}`;
}

/** `checkRequestTemplates` checks the templates. */
export const requestSchema = z
  .strictObject({
    method: z
      .enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], {
        error: "must be GET, HEAD, POST, PUT, PATCH, or DELETE",
      })
      .describe("GET and HEAD have no body"),
    url: url.describe(
      "A template of the URL. It begins with `https://` or `http://`, or is a single template",
    ),
    headers: headers.default({}).describe("Headers by name. Values are templates"),
    query: query
      .default({})
      .describe("Query parameters by name, added to those of the URL. Values are templates"),
    body: jsonBody.optional().describe("Any JSON. Strings in it are templates. Null: no body"),
    bodyText: template.min(1, "must not be empty; omit it for no body").nullable().optional(),
    /** The parts of a `multipart/form-data` body. Null: no such body. */
    multipart: multipartSchema.nullable().optional(),
    /**
     * Sends the delivery's own bytes as the body, and more of the delivery if set. Null: the action
     * builds its own body.
     */
    forward: forwardSchema.nullable().optional(),
    auth: authInput
      .nullable()
      .optional()
      .describe("Omitted in a change: the stored credentials stay. Null: no credentials"),
    destinationId: destinationId
      .nullable()
      .optional()
      .describe("The destination of the call, whose origin the URL has. Null: none"),
  })
  .superRefine(checkBody, { when: isObjectValue })
  .superRefine((value, ctx) => {
    const hasOrigin = /^https?:/i.test(value.url);
    if (value.destinationId && !hasOrigin)
      addConflict(
        ctx,
        "destinationId",
        "needs a fixed origin; the URL must start with https:// or http://",
      );
    if (!value.auth) return;
    if (!hasOrigin) {
      addConflict(
        ctx,
        "auth",
        "credentials need a fixed origin; the URL must start with https:// or http://",
      );
    }
    if (value.auth.type === "credential") return;
    if (value.auth.type === "query") {
      if (Object.hasOwn(value.query, value.auth.name))
        addConflict(ctx, "query", `the parameter ${value.auth.name} is set by auth`);
      return;
    }
    if (value.auth.type === "body") {
      const authName = value.auth.name;
      if (value.multipart) {
        if (value.multipart.some(({ name }) => name === authName))
          addConflict(ctx, "multipart", `the field ${authName} is set by auth`);
        return;
      }
      const body = isJsonObject(value.body) ? value.body : null;
      if (body === null)
        addConflict(
          ctx,
          "auth",
          "a credential in the body requires an object as the body, or multipart",
        );
      else if (Object.hasOwn(body, value.auth.name))
        addConflict(ctx, "body", `the field ${value.auth.name} is set by auth`);
      return;
    }
    const authHeader =
      value.auth.type === "header" ? value.auth.name.toLowerCase() : "authorization";
    if (Object.keys(value.headers).some((text) => text.toLowerCase() === authHeader)) {
      addConflict(ctx, "headers", `the header ${authHeader} is set by auth`);
    }
  })
  .transform(
    ({ body, bodyText, multipart, forward, auth, destinationId: destination, ...rest }) => ({
      ...rest,
      body: body ?? null,
      bodyText: bodyText ?? null,
      ...(multipart ? { multipart } : {}),
      forward: forward ?? null,
      ...(destination ? { destinationId: destination } : {}),
      ...splitAuth(auth),
    }),
  )
  .meta({ id: "RequestTemplate" });

/**
 * A saved credential is stored by its id only, so it isn't sealed with the request's own
 * credentials.
 */
function splitAuth(auth: z.infer<typeof authInput> | null | undefined) {
  if (auth === undefined) return {};
  if (auth?.type !== "credential") return { auth };
  return { auth: null, credentialId: auth.credentialId };
}

type RequestBody = {
  readonly method: string;
  readonly body?: JsonValue | undefined;
  readonly bodyText?: string | null | undefined;
  readonly multipart?: readonly MultipartPart[] | null | undefined;
  readonly forward?: { readonly method: boolean } | null | undefined;
};

/**
 * Runs even if another field is invalid, so that the response reports all errors. The field's own
 * value may have any type here.
 */
function checkBody(request: RequestBody, ctx: z.RefinementCtx): void {
  const { method, body, bodyText, multipart, forward } = request;
  const hasBody = body !== undefined && body !== null;
  const hasText = bodyText !== undefined && bodyText !== null;
  const hasParts = multipart !== undefined && multipart !== null;
  const isForwarded = forward !== undefined && forward !== null;
  if (isForwarded && (hasBody || hasText || hasParts))
    addConflict(
      ctx,
      "forward",
      "sends the delivery's own body; omit body, bodyText, and multipart",
    );
  if (isForwarded && forward.method === false && bodylessMethods.has(method))
    addConflict(ctx, "forward", `a ${method} request has no body to forward`);
  const [first, second] = [
    ...(hasBody ? ["body"] : []),
    ...(hasText ? ["bodyText"] : []),
    ...(hasParts ? ["multipart"] : []),
  ];
  if (first === undefined) return;
  if (second !== undefined)
    addConflict(ctx, second, `${first} and ${second} can't be used together`);
  if (bodylessMethods.has(method)) addConflict(ctx, first, `a ${method} request has no body`);
}

function addConflict(ctx: z.RefinementCtx, path: string, message: string): void {
  ctx.addIssue({ code: "custom", path: [path], ...brokenRule("conflict", message) });
}

/** The request as it is stored and rendered. `auth` is stored separately. */
export type ActionRequestTemplate = {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  readonly bodyText: string | null;
  /** Absent: no body of parts. */
  readonly multipart?: readonly MultipartPart[];
  readonly forward: Forward | null;
  /** Absent: no destination. */
  readonly destinationId?: string;
  /** The id of a saved credential. Absent: none, or the destination's. */
  readonly credentialId?: string;
};

/** A stored request in the form that `requestSchema` returns. */
export function toStoredRequest({ credentialId, ...request }: ActionRequestTemplate): object {
  if (credentialId === undefined) return request;
  return { ...request, auth: { type: "credential", credentialId } };
}
