import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { AppError, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { InvalidInput, parseInput } from "#lib/core/api/parse-input.ts";
import { type CommandResult, checkFields, reject } from "#lib/schema/field/command-result.ts";
import { type ServerContext, serverContext } from "#lib/services/frame/server-context.ts";
import { isOwnRequest } from "#lib/web/request/request-origin.ts";

/** Runs a change without a signed-in user, which must be authorized in another way. */
export async function runPublicFormCommand<Schema extends z.ZodType, Value>(
  schema: Schema,
  input: unknown,
  run: (data: z.output<Schema>, context: ServerContext) => Promise<Value>,
): Promise<CommandResult<Value>> {
  return await respondToCommand(() => run(parseInput(schema, input), serverContext()));
}

/**
 * Does `work` if the request comes from our own page, and returns its value or the error. `work`
 * authorizes the caller.
 */
export async function respondToCommand<Value>(
  work: () => Promise<Value>,
): Promise<CommandResult<Value>> {
  if (!isOwnRequest(await headers())) {
    return reject(
      "This request didn't come from a page of this server. Reload the page and try again.",
    );
  }
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof InvalidInput) return reject(checkFields, error.errors);
    if (error instanceof AppError) return reject(error.message, error.errors, error.isOfField);
    log.error("command.failed", { error: toError(error) });
    return reject("Something went wrong. Nothing was changed. Try again in a moment.");
  }
}
