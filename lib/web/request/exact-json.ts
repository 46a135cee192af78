import { z } from "zod";
import { maxJsonDepth, parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";

/** A value of at most `maxJsonDepth` levels still fits in an input's own fields. */
const maxDepth = maxJsonDepth + 16;

/** JSON text in the API's format, whose numbers keep their digits. `schema` parses the value. */
export function exactJson<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, ctx): unknown => {
      const parsed = parseExactJson(text, maxDepth);
      if (parsed.ok) return parsed.value;
      ctx.addIssue({ code: "custom", ...brokenRule("invalid_json", parsed.message) });
      return z.NEVER;
    })
    .pipe(schema);
}
