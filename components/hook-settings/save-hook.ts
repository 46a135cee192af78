import type { CommandResult } from "#lib/schema/command-result.ts";

/** A part of a hook, as the API's PATCH takes it; it is checked by the same schema. */
export type HookChange = Readonly<Record<string, unknown>>;
export type SaveHook = (hookId: string, change: HookChange) => Promise<CommandResult<null>>;
