/** The fields of payloads that viewers see masked. */
import { z } from "zod";

const maxMaskedFields = 50;
const maxChars = 200;
const maxNames = 20;

const emptyName = "has an empty name. Put one dot between two names, as in data.object.email";
const onlyWildcards =
  "must contain a name. To mask everything, use **, and to mask everything in a field, name it: data.**";

/**
 * Names with dots between them. `*` is any one name, and `**` any number of names. Case doesn't
 * matter.
 */
const maskedField = z
  .string({ error: "must be text, such as **.email" })
  .trim()
  .min(1, "must not be empty")
  .max(maxChars, `must have at most ${maxChars} characters`)
  .regex(/^[^\p{Cc}]*$/u, "must not contain control characters")
  .refine((field) => !field.split(".").includes(""), emptyName)
  .refine((field) => field.split(".").length <= maxNames, `must have at most ${maxNames} names`)
  .refine((field) => field === "**" || /[^*.]/.test(field), onlyWildcards);

export const maskedFieldList = z
  .array(maskedField)
  .max(maxMaskedFields, `at most ${maxMaskedFields} fields`)
  .transform((fields) => [...new Set(fields)])
  .describe("Such as `**.email` and `data.object.card.*`");

/** `PUT /masked-fields`. */
export const maskedFieldsSchema = z.strictObject({ fields: maskedFieldList });
