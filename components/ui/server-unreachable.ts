import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The result of a command that throws: it didn't reach the server, or got no response. */
export const serverUnreachable: CommandResult<never> = {
  ok: false,
  message: "The server can't be reached. Check your connection and try again.",
  errors: [],
};
