/** The response of a hook to its provider, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { exactText, hasAtMostBytes, isDistinct } from "#lib/schema/field/common.ts";

/**
 * Content types that a browser doesn't render as a page. Users who set the response must not be
 * able to serve a site from our origin.
 */
const replyContentType = z
  .string()
  .max(200, "must have at most 200 characters")
  .regex(
    /^(?:text\/(?:plain|xml|csv)|application\/(?:json|xml|[a-z0-9.-]{1,80}\+json))(?:;\s*charset=[a-z0-9-]{1,40})?$/i,
    "must be text/plain, text/csv, text/xml, application/xml, application/json, or a +json type",
  );

/** Excludes `Set-Cookie`, `Location`, and everything else that a browser acts on. */
const replyHeaders = z
  .record(
    z.string().regex(/^content-type$/i, "can't be set here. Only content-type can"),
    replyContentType,
  )
  .refine(
    (headers) => Object.keys(headers).length <= 1,
    brokenRule("duplicate", "names content-type twice"),
  )
  .transform(lowerCaseNames);

const maxReplyBytes = 4096;

/** A custom response to stored deliveries, instead of our JSON. */
export const hookResponseSchema = z
  .strictObject({
    status: z
      .int("must be a status from 200 to 299")
      .min(200, "must be a status from 200 to 299")
      .max(299, "must be a status from 200 to 299")
      .default(200)
      .describe("The status of the response"),
    headers: replyHeaders.default({}).describe("Only `content-type`"),
    body: exactText({ max: maxReplyBytes })
      .refine(...hasAtMostBytes(maxReplyBytes))
      .default("")
      .describe("The body of the response"),
  })
  .refine(({ status, body: text }) => text === "" || (status !== 204 && status !== 205), {
    path: ["body"],
    ...brokenRule("conflict", "must be omitted, because a response with that status has none"),
  })
  .meta({ id: "HookResponse" });
export type HookResponse = z.output<typeof hookResponseSchema>;

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Every origin, also that of a file or of a sandboxed frame. */
export const anyOrigin = "*";

const origin = z
  .string({ error: "must be an origin" })
  .max(256, "must have at most 256 characters")
  .toLowerCase()
  .refine(
    (text) => text === anyOrigin || isOrigin(text),
    'must be an origin such as https://shop.example, without a path, or "*" for any',
  );

/** The pages that may send to the catch URL from a browser. */
export const hookCorsSchema = z
  .strictObject(
    {
      origins: z
        .array(origin)
        .min(1, "must name at least one origin")
        .max(20, "must name at most 20 origins")
        .refine(...isDistinct("names an origin twice"))
        .refine((list) => list.length === 1 || !list.includes(anyOrigin), {
          error: '"*" allows every origin, so it stands alone',
        })
        .readonly()
        .describe("Origins such as `https://shop.example`, or `*` alone for all"),
    },
    { error: "must be an object with origins, or null" },
  )
  .meta({ id: "HookCors" });
export type HookCors = z.output<typeof hookCorsSchema>;

/** A browser sends an origin exactly as `URL` writes it, which accepts `*` within a host. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;
}
