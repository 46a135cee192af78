import { z } from "zod";
import { once } from "#lib/base/once.ts";
import { configurationSchema } from "#lib/schema/configuration.ts";

/** Where editors find it, below the public URL. */
export const configurationSchemaPath = "/api/v1/configuration.schema.json";

/** The JSON Schema of a configuration's files, for editors. */
export const configurationSchemaText = once(() => {
  const schema = z.toJSONSchema(configurationSchema.omit({ secrets: true }), {
    io: "input",
    unrepresentable: "any",
  });
  return JSON.stringify({ ...schema, title: "Configuration of a Catchment account" });
});
