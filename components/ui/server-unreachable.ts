import type { CommandResult } from "#lib/schema/command-result.ts";

/** A command that throws did not get to the server, or got no answer. */
export const serverUnreachable: CommandResult<never> = {
  ok: false,
  message: "The server can't be reached. Check your connection and try again.",
  fields: {},
};
