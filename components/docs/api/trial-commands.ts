import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The commands of the server that trying a call needs. */
export type TrialCommands = {
  readonly readTrier: (
    input: object,
  ) => Promise<CommandResult<{ readonly account: string; readonly createsTokens: boolean }>>;
  readonly createToken: (input: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expiresInDays: number;
  }) => Promise<CommandResult<{ readonly token: string }>>;
};
