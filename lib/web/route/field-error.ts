import { z } from "zod";
import { fieldErrorCodes } from "#lib/schema/field/command-result.ts";

/** An error in one field, in responses. */
export const fieldErrorSchema = z
  .object({
    path: z.string(),
    code: z.enum(fieldErrorCodes),
    message: z.string(),
    limit: z.number().optional(),
    name: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
  })
  .meta({ id: "FieldError" });
