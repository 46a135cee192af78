import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The parameters of a list's URL by name, without its page. */
export type ViewParams = Readonly<Record<string, string>>;

export type SavedView = {
  readonly id: string;
  readonly name: string;
  /** The parameters of the list's URL by name. */
  readonly params: ViewParams;
  /** Everyone sees it first. */
  readonly isDefault: boolean;
};

export type ViewCommands = {
  readonly save: (name: string, params: ViewParams) => Promise<CommandResult<null>>;
  readonly rename: (id: string, name: string) => Promise<CommandResult<null>>;
  readonly replace: (id: string, params: ViewParams) => Promise<CommandResult<null>>;
  readonly setDefault: (id: string, isDefault: boolean) => Promise<CommandResult<null>>;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
  readonly restore: (id: string) => Promise<CommandResult<null>>;
};
