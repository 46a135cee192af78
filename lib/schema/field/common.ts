/** Shared small schemas. */
import { z } from "zod";
import { brokenRule } from "./command-result.ts";
import { readDate } from "./read-date.ts";
import { parsePath } from "./value-path.ts";

/**
 * Text for a PostgreSQL `text` column: without NUL (the database rejects it) and without lone
 * surrogates (the driver would silently write U+FFFD). White space at the ends is removed before
 * the length check.
 */
export function shortText(options: { min?: number; max: number }) {
  const { min = 1, max } = options;
  return storable(z.string({ error: "must be text" }).trim())
    .min(min, "must not be empty")
    .max(max, `must have at most ${max} characters`);
}

/** Like `shortText`, without trimming: for secrets and bodies. */
export function exactText(options: { min?: number; max: number }) {
  const { min = 0, max } = options;
  return storable(z.string({ error: "must be text" }))
    .min(min, "must not be empty")
    .max(max, `must have at most ${max} characters`);
}

/** A name: one line, without invisible characters. */
export const displayName = shortText({ max: 200 }).refine(
  (text) => !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text),
  "must not contain control characters",
);

/** RFC 9110 §5.6.2; lowercase, as headers are compared. */
export const headerName = z
  .string({ error: "must name a header" })
  .min(1, "must name a header")
  .max(128, "must have at most 128 characters")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not a header name: use letters, digits, and hyphens")
  .toLowerCase();

/** The depth of a path of a rule. */
const maxPathSteps = 16;

/** A value in the body: `data.object.id`, `items[0].id`, `["data[email]"]`. */
export const bodyPath = z
  .string({ error: "must be a path such as data.id" })
  .max(256, "must have at most 256 characters")
  .superRefine((path, context) => {
    const parsed = parsePath(path);
    if (!parsed.ok) return context.addIssue({ code: "custom", message: parsed.message });
    if (parsed.steps.length > maxPathSteps)
      context.addIssue({
        code: "custom",
        message: `must be at most ${maxPathSteps} names deep`,
      });
    if (parsed.steps.some((step) => String(step).includes("\0") || !String(step).isWellFormed()))
      context.addIssue({ code: "custom", message: "must be valid Unicode without NUL characters" });
  });

/** An id as sent. An id without a row is not found, whatever it looks like. */
export const recordId = z.string({ error: "must be an id" }).max(500, "is not an id");

/** The input of a service that reads one thing. */
export const byId = z.strictObject({ id: recordId });

export const maxPageSize = 200;
const defaultPage = 50;

/** Query parameters of every list. */
export const pageFields = {
  limit: z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from 1 to ${maxPageSize}`)
    // For readers of the OpenAPI document: in a query, a number is text.
    .meta({ type: "integer", pattern: undefined, minimum: 1, maximum: maxPageSize })
    .transform(Number)
    .refine(
      (limit) => limit >= 1 && limit <= maxPageSize,
      brokenRule("out_of_range", `must be a whole number from 1 to ${maxPageSize}`),
    )
    .default(defaultPage),
  cursor: z.string().max(200, "is not a cursor of this list").optional(),
};

/** A query value that is compared with stored text. */
export const filterText = exactText({ min: 1, max: 1024 });

/** ISO 8601 with a zone, or a date alone, which is midnight UTC; as Unix milliseconds. */
export const instant = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/,
    "must be a UTC time like 2026-11-21T08:00:00Z",
  )
  .meta({ description: "ISO 8601 with a zone, or a date alone, which is midnight UTC" })
  .transform((text) => {
    const read = readDate(text);
    return read.ok ? read.ms : Number.NaN;
  })
  .refine((ms) => Number.isFinite(ms) && ms >= 0, "must be a valid time, not before 1970");

/** An input without fields: no query, an empty body, or `{}`. */
export const noFields = z.strictObject({});

function storable(text: z.ZodString) {
  return text
    .refine((value) => !value.includes("\u0000"), "must not contain NUL characters")
    .refine((value) => value.isWellFormed(), "must be valid Unicode");
}

/** For `refine`: limits the number of names in a record. */
export function hasAtMost(limit: number, message: string) {
  return [
    (entries: object) => Object.keys(entries).length <= limit,
    brokenRule("too_long", message, { limit }),
  ] as const;
}

/** For `refine`: a list without duplicates. */
export function isDistinct(message: string) {
  return [
    (list: readonly unknown[]) => new Set(list).size === list.length,
    brokenRule("duplicate", message),
  ] as const;
}

/** For `refine`: limits the size of a text in bytes of UTF-8. */
export function hasAtMostBytes(limit: number, shown = String(limit)) {
  return [
    (text: string) => new TextEncoder().encode(text).length <= limit,
    brokenRule("too_long", `must have at most ${shown} bytes`, { limit }),
  ] as const;
}

type TimeRange = { readonly from?: number | undefined; readonly to?: number | undefined };

/** For `refine`: `to` is after `from`. */
export function isInOrder() {
  const rule = { path: ["to"], ...brokenRule("out_of_range", "must be after from") };
  const check = ({ from, to }: TimeRange) => from === undefined || to === undefined || from < to;
  return [check, rule] as const;
}

/**
 * For `when` of a check over several fields. It lets the check run even if a field is invalid, so
 * that the response lists all errors.
 */
export function isObjectValue({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}
