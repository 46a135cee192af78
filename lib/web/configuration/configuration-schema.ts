import { z } from "zod";
import { once } from "#lib/base/once.ts";
import { configurationSchema } from "#lib/schema/configuration.ts";

/** The JSON Schema of a configuration's files, for editors. */
export const configurationSchemaText = once(() => {
  const schema = z.toJSONSchema(configurationSchema.omit({ secrets: true }), {
    io: "input",
    unrepresentable: "any",
  });
  return JSON.stringify({ ...schema, title: "Configuration of a Catchment account" });
});
