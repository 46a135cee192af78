/** Event types: their names, the patterns that match them, and their entries in the catalog. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { pageFields, shortText } from "#lib/schema/field/common.ts";
import { describeJsonProblem, type JsonValue } from "#lib/schema/field/json-value.ts";

const maxTypeChars = 128;
const maxWords = 10;
const word = "[a-z0-9_-]+";

/** `invoice.paid`. */
export const eventTypeName = z
  .string({ error: "must be text such as invoice.paid" })
  .max(maxTypeChars, `must have at most ${maxTypeChars} characters`)
  .regex(
    new RegExp(`^${word}(?:\\.${word})*$`),
    "must be words of a-z, 0-9, _ and -, joined by dots, such as invoice.paid",
  )
  .refine(hasFewWords, tooManyWords());

/** Segments of the catalog's paths, in the API and the dashboard. */
const reservedNames = ["export", "import", "new"];

/** The name of an event type in the catalog. Events may have the reserved names too. */
export const catalogTypeName = eventTypeName.refine((name) => !reservedNames.includes(name), {
  error: ({ input }) => `must not be "${input}", which is reserved`,
});

/** An event type, a prefix such as `invoice.*`, or `*`. */
export const eventTypePattern = z
  .string({ error: "must be an event type such as invoice.paid, invoice.*, or *" })
  .max(maxTypeChars, `must have at most ${maxTypeChars} characters`)
  .regex(
    new RegExp(`^(?:\\*|${word}(?:\\.${word})*(?:\\.\\*)?)$`),
    "must be an event type such as invoice.paid, all that start with it such as invoice.*, or *",
  )
  .refine(hasFewWords, tooManyWords());

const schemaLimits = { maxDepth: 32, maxNodes: 5_000, maxChars: 64 * 1024 };
const exampleLimits = { maxDepth: 64, maxNodes: 5_000, maxChars: 256 * 1024 };

/** The reaction to an event that breaks its schema: a stored warning, or a 400. */
export const mismatchRules = ["warn", "reject"] as const;
export type MismatchRule = (typeof mismatchRules)[number];

/** `PUT /event-types/{name}`. It replaces the whole entry: omitted fields get their default. */
export const eventTypeSchema = z.strictObject({
  description: shortText({ min: 0, max: 2_000 })
    .nullable()
    .default(null)
    .describe("What it means, for the people who receive it"),
  /** The JSON Schema of `data`. Null: any value. */
  schema: jsonOf(schemaLimits, isSchema, "must be a JSON Schema: an object, true, or false"),
  /** An example of `data`. */
  example: jsonOf(exampleLimits),
  deprecated: z.boolean().default(false).describe("True: the catalog says that it will go away"),
  onMismatch: z
    .enum(mismatchRules, { error: `must be one of ${mismatchRules.join(", ")}` })
    .default("warn"),
});
export type EventTypeInput = z.output<typeof eventTypeSchema>;

/** `GET /event-types?…`. */
export const eventTypeQuerySchema = z.strictObject({
  ...pageFields,
  q: shortText({ max: 200 }).optional().describe("Text in the name or the description"),
});

/** `POST /event-types/import`. */
export const eventTypeImportSchema = z.strictObject({
  document: z
    .union(
      [
        z.record(z.string(), z.unknown()),
        z
          .string()
          .trim()
          .min(1, "must not be empty")
          .max(1_000_000, "must have at most 1000000 characters"),
      ],
      {
        error: "must be an OpenAPI 3.1 document: an object, or its text in JSON or YAML",
      },
    )
    .describe("An OpenAPI 3.1 document: an object, or its text in JSON or YAML"),
});

function hasFewWords(text: string): boolean {
  return text.split(".").length <= maxWords;
}

function tooManyWords() {
  return brokenRule("too_long", `must have at most ${maxWords} words`, { limit: maxWords });
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "object" && !Array.isArray(value));
}

/** Null and omitted both mean none. */
function jsonOf(
  limits: Parameters<typeof describeJsonProblem>[1],
  accepts: (value: unknown) => boolean = () => true,
  message = "",
) {
  return z
    .unknown()
    .transform((value, context): JsonValue => {
      const problem = describeJsonProblem(value ?? null, limits);
      const found = problem ?? (accepts(value ?? null) ? null : message);
      if (found === null) return (value ?? null) as JsonValue;
      context.addIssue({ code: "custom", message: found });
      return z.NEVER;
    })
    .optional()
    .transform((value) => value ?? null);
}
