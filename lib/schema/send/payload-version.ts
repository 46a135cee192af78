/** Versions of the data of event types, and the one that a subscription is pinned to. */
import { z } from "zod";
import { instant, shortText } from "#lib/schema/field/common.ts";
import { eventTypeSchema } from "./event-type.ts";
import { transformCode } from "./transform-code.ts";

/** The version that an event type begins with. The later ones are dates. */
export const firstVersion = "first";
/** For a subscription that gets each new version as it comes. */
export const newestVersion = "newest";

const date = z
  .string({ error: "must be a date such as 2026-11-30" })
  .regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-11-30")
  .refine(isDate, "must be a date that exists");

export const versionName = z.union([z.literal(firstVersion), date], {
  error: 'must be a date such as 2026-11-30, or "first"',
});

/** `version` of a subscription. */
export const pinnedVersion = z.union([z.literal([firstVersion, newestVersion]), date], {
  error: 'must be a date such as 2026-11-30, "first", or "newest"',
});

const transform = transformCode
  .nullable()
  .describe(
    "JavaScript that makes an event of this version into `data` of the one before. Null: nothing has to change",
  );

/** `POST /event-types/{name}/versions`. */
export const eventTypeVersionSchema = z.strictObject({
  version: date
    .optional()
    .describe("A date after that of the version before. Omitted: today, in UTC"),
  schema: eventTypeSchema.shape.schema,
  example: eventTypeSchema.shape.example,
  transform: transform.default(null),
  note: shortText({ min: 0, max: 2_000 })
    .nullable()
    .default(null)
    .describe("What has changed, for the people who receive it"),
});
export type EventTypeVersionInput = z.output<typeof eventTypeVersionSchema>;

/** `PATCH /event-types/{name}/versions/{version}`. */
export const eventTypeVersionPatchSchema = z.strictObject({
  endsAt: instant
    .nullable()
    .optional()
    .describe("From then on, its subscribers get the next version. Null: it stays"),
  note: shortText({ min: 0, max: 2_000 })
    .nullable()
    .optional()
    .describe("What has changed, for the people who receive it"),
  transform: transform.optional(),
});

const maxVersions = 50;

/** `versions` of an event type in a configuration file: all of them, oldest first. */
export const configuredVersions = z
  .array(
    eventTypeVersionSchema.extend({
      version: versionName,
      endsAt: z
        .string({ error: "must be a time such as 2027-06-01T00:00:00Z" })
        .refine(
          (text) => instant.safeParse(text).success && !Number.isNaN(Date.parse(text)),
          "must be a time such as 2027-06-01T00:00:00Z",
        )
        .nullable()
        .default(null)
        .describe("From then on, its subscribers get the next version. Null: it stays"),
    }),
  )
  .min(1, "must have at least 1 item")
  .max(maxVersions, `must have at most ${maxVersions} items`)
  .refine(([first]) => first?.version === firstVersion, 'must begin with the version "first"')
  .refine(
    ([, ...later]) =>
      later.every(
        ({ version }, index) =>
          version !== firstVersion && version > (later[index - 1]?.version ?? ""),
      ),
    "must be in the order of their dates, each once",
  );

function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
