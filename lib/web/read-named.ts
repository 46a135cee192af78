import { cache } from "react";
import type { ActionRecord } from "#lib/db/action-record.ts";
import { getAction } from "#lib/db/actions.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { getHook } from "#lib/db/hooks.ts";
import { serverContext } from "./server-context.ts";

/** A hook, for a page and for its title: read once for both. Throws `not_found`. */
export const readHook = cache(
  (accountId: string, hookId: string): Promise<HookRecord> => getHook(serverContext().db, accountId, hookId),
);

/** The same for an action. */
export const readAction = cache(
  (accountId: string, actionId: string): Promise<ActionRecord> =>
    getAction(serverContext().db, accountId, actionId),
);
