import { revalidatePath } from "next/cache";
import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runPublicFormCommand } from "#lib/web/auth/form-command.ts";
import { callPortal, type PortalCall } from "./call-portal.ts";

/** A change, with the schema of its input. */
export type PortalCommand<Schema extends z.ZodType, Value> = PortalCall<z.output<Schema>, Value> & {
  readonly schema: Schema;
};

/**
 * Runs a change that a portal page makes. Its request must come from our own page, which it does in
 * an iframe too, and the token in it is the credential: no cookie is sent or read, so another site
 * has nothing to abuse.
 */
export async function runPortalCommand<Schema extends z.ZodType, Value>(
  command: PortalCommand<Schema, Value>,
  token: string,
  input: unknown,
): Promise<CommandResult<Value>> {
  return await runPublicFormCommand(command.schema, input, async (data, context) => {
    const value = await callPortal(context, String(token), command, data);
    revalidatePath("/portal/[token]", "layout");
    return value;
  });
}
