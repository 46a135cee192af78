import { cache } from "react";
import { getAction } from "#lib/services/actions/read-actions.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { findNamedHooks, getHook } from "#lib/services/hooks/read-hooks.ts";

/** A hook, read once for its page and title. Throws `not_found`. */
export const readHook = cache((context: ServiceContext, id: string) => getHook(context, { id }));

/** An action and its breaker, read once for its page and title. Throws `not_found`. */
export const readActionWithBreaker = cache((context: ServiceContext, id: string) =>
  getAction(context, { id }),
);

export async function readAction(context: ServiceContext, id: string) {
  return (await readActionWithBreaker(context, id)).action;
}

const maxChoices = 200;

type Named = { readonly id: string; readonly name: string };

/** The newest hooks to choose from, this one among them. */
export async function listHookChoices(
  context: ServiceContext,
  chosen: Named,
): Promise<readonly Named[]> {
  const hooks = await findNamedHooks(context, { text: "", limit: maxChoices });
  return hooks.some(({ id }) => id === chosen.id) ? hooks : [chosen, ...hooks];
}
