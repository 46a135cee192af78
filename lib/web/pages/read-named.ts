import { cache } from "react";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** A hook, read once for its page and title. Throws `not_found`. */
export const readHook = cache(
  (accountId: string, hookId: string): Promise<HookRecord> =>
    getHook(serverContext().db, accountId, hookId),
);

/** The same for an action. */
export const readAction = cache(
  (accountId: string, actionId: string): Promise<ActionRecord> =>
    getAction(serverContext().db, accountId, actionId),
);
