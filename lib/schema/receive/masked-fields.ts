/** The fields of payloads that viewers see masked. */
import { z } from "zod";
import { parsePath } from "#lib/schema/field/value-path.ts";

const maxMaskedFields = 50;
const maxChars = 200;
const maxNames = 20;

const onlyWildcards =
  "must contain a name. To mask everything, use **, and to mask everything in a field, name it: data.**";

/**
 * A path as everywhere: `data.object.email`, `["data[email]"]`.
 * `*` is any one name, and `**` any number of names. Case doesn't matter.
 */
const maskedField = z
  .string({ error: "must be text, such as **.email" })
  .trim()
  .min(1, "must not be empty")
  .max(maxChars, `must have at most ${maxChars} characters`)
  .regex(/^[^\p{Cc}]*$/u, "must not contain control characters")
  .superRefine((field, context) => {
    const reject = (message: string) => context.addIssue({ code: "custom", message });
    // Fields were written without quotes before names had them, so they may still contain spaces.
    const parsed = parsePath(field, { hasSpaces: true });
    if (!parsed.ok) return reject(parsed.message);
    if (parsed.steps.includes("")) return reject("has an empty name");
    if (parsed.steps.length > maxNames) return reject(`must have at most ${maxNames} names`);
    if (field !== "**" && parsed.steps.every((name) => /^\*+$/.test(String(name))))
      reject(onlyWildcards);
  });

export const maskedFieldList = z
  .array(maskedField)
  .max(maxMaskedFields, `at most ${maxMaskedFields} fields`)
  .transform((fields) => [...new Set(fields)])
  .describe("Such as `**.email` and `data.object.card.*`");

/** `PUT /masked-fields`. */
export const maskedFieldsSchema = z.strictObject({ fields: maskedFieldList });
