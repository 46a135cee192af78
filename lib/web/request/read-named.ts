import { cache } from "react";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { findHooksByName } from "#lib/db/hooks/hook-names.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";

/** A hook, read once for its page and title. Throws `not_found`. */
export const readHook = cache(
  ({ db }: ServerContext, accountId: string, hookId: string): Promise<HookRecord> =>
    getHook(db, accountId, hookId),
);

const maxChoices = 200;

type Named = { readonly id: string; readonly name: string };

/** The newest hooks to choose from, this one among them. */
export async function listHookChoices(
  { db }: ServerContext,
  accountId: string,
  chosen: Named,
): Promise<readonly Named[]> {
  const hooks = await findHooksByName(db, accountId, "", maxChoices);
  return hooks.some(({ id }) => id === chosen.id) ? hooks : [chosen, ...hooks];
}

/** An action, read once for its page and title. Throws `not_found`. */
export const readAction = cache(
  ({ db }: ServerContext, accountId: string, actionId: string): Promise<ActionRecord> =>
    getAction(db, accountId, actionId),
);
