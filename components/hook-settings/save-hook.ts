import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** A part of a hook, as in the API's PATCH and checked by the same schema. */
export type HookChange = Readonly<Record<string, unknown>>;
export type SaveHook = (hookId: string, change: HookChange) => Promise<CommandResult<null>>;
