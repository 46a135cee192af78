/** The reply of a hook's action to its provider, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { headerName } from "#lib/schema/act/request-auth.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { exactText, hasAtMost, hasAtMostBytes, isDistinct } from "#lib/schema/field/common.ts";

/** The maximum size of the reply's body in bytes, both as a template and as rendered. */
export const maxReplyBytes = 64 * 1024;
const maxReplyWaitSeconds = 30;
export const maxReplyHeaders = 20;
export const maxReplyValueChars = 2_048;

/**
 * The headers that a reply may set. Users who write one must not be able to serve a site from our
 * origin, or to command a reverse proxy in front of it.
 */
const allowedHeaders: readonly string[] = [
  "cache-control",
  "content-language",
  "content-type",
  "etag",
  "last-modified",
  "retry-after",
];

/** Browsers and proxies act on these. With `X-Accel-Redirect`, nginx sends another file instead. */
const commands =
  /^x-(?:accel-|content-|dns-prefetch-|download-|envoy-|frame-|lighttpd-|litespeed-|permitted-|reproxy-|sendfile|sourcemap|ua-|webkit-|xss-)/;

/** True if a reply may set the header. The case doesn't matter. */
export function isReplyHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return allowedHeaders.includes(lower) || (lower.startsWith("x-") && !commands.test(lower));
}

const headerNotAllowed =
  `can't be set in a reply. Use ${allowedHeaders.join(", ")}, or a name ` +
  "that starts with x- and means nothing to browsers and proxies";

/** Content types that a browser doesn't render as a page. */
const replyContentType =
  /^(?:text\/(?:plain|xml|csv)|application\/(?:json|xml|[a-z0-9.-]{1,80}\+json))(?:;\s*charset=[a-z0-9-]{1,40})?$/i;

export function isReplyContentType(value: string): boolean {
  return replyContentType.test(value);
}

const headers = z
  .record(
    headerName,
    exactText({ max: maxReplyValueChars }).refine(
      (text) => !/[\r\n]/.test(text),
      "a header value must not contain CR or LF",
    ),
  )
  .refine(...hasAtMost(maxReplyHeaders, `at most ${maxReplyHeaders} headers`))
  .superRefine((entries, context) => {
    const names = Object.keys(entries).map((name) => name.toLowerCase());
    if (!isDistinct("")[0](names))
      context.addIssue({ code: "custom", ...brokenRule("duplicate", "names a header twice") });
    for (const [name, value] of Object.entries(entries)) {
      if (name.toLowerCase() !== "content-type" || isReplyContentType(value)) continue;
      const message =
        "must be text/plain, text/csv, text/xml, application/xml, " +
        "application/json, or a +json type, without a template";
      context.addIssue({ code: "custom", path: [name], message });
    }
  });

const statusError = "must be a status from 200 to 299 or from 400 to 599, or a template";

/** The number, or undefined if it can't be the status of a reply. */
export function readReplyStatus(text: string): number | undefined {
  return /^(?:2|4|5)\d\d$/.test(text) ? Number(text) : undefined;
}

/** A number, as text or not, or a template that renders to one. */
const status = z
  .union([z.string().max(1_000, statusError), z.number()], { error: statusError })
  .transform((value) => readReplyStatus(String(value).trim()) ?? value)
  .refine(
    (value) => (typeof value === "string" ? value.includes("{{") : readReplyStatus(String(value))),
    statusError,
  );

const parts = {
  status: status
    .prefault(200)
    .describe("A status from 200 to 299 or 400 to 599, or a template that gives one"),
  headers: headers.default({}).describe("Headers of the response by name. Values are templates"),
  body: exactText({ max: maxReplyBytes })
    .refine(...hasAtMostBytes(maxReplyBytes))
    .default("")
    .describe("A template of the response's body"),
};

/**
 * One action of the hook replies to the provider. Status, headers, and body are templates that read
 * the delivery and `steps`, like a step after the last one. A reply that was saved before there was
 * a list of allowed headers may have others, which aren't sent.
 */
export const storedHookReplySchema = z
  .strictObject(
    {
      actionId: z
        .uuid("must be the id of an action of this hook")
        .describe("The action of this hook whose result is the reply"),
      /**
       * The wait starts when the delivery is stored. After it, the provider gets 202 and the run
       * continues.
       */
      waitSeconds: z
        .int("must be a whole number of seconds")
        .min(1, "must be at least 1 second")
        .max(maxReplyWaitSeconds, `must be at most ${maxReplyWaitSeconds} seconds`)
        .default(10),
      ...parts,
      /** The response if the run fails. Null: 202. */
      onFailure: z
        .strictObject(parts, { error: "must be an object with status, headers, and body, or null" })
        .nullable()
        .default(null),
    },
    { error: "must be an object with an actionId, or null" },
  )
  .meta({ id: "SavedHookReply" });

/** A reply as it is saved. */
export const hookReplySchema = storedHookReplySchema
  .superRefine(({ headers: ofSuccess, onFailure }, context) => {
    const reject = (name: string, at: readonly string[]) =>
      context.addIssue({
        code: "custom",
        path: [...at, "headers", name],
        ...brokenRule("not_allowed", headerNotAllowed, { name }),
      });
    const listOthers = (given: object) => Object.keys(given).filter((name) => !isReplyHeader(name));
    for (const name of listOthers(ofSuccess)) reject(name, []);
    for (const name of listOthers(onFailure?.headers ?? {})) reject(name, ["onFailure"]);
  })
  .meta({ id: "HookReply" });
export type HookReply = z.output<typeof hookReplySchema>;
export type ReplyParts = Pick<HookReply, "status" | "headers" | "body">;
