import { findActionsByName } from "#lib/db/actions/action-names.ts";
import { findHooksByName } from "#lib/db/hooks/hook-names.ts";
import { isId } from "#lib/ids.ts";
import { filterText } from "#lib/schema/field/common.ts";
import type { Choices } from "#lib/schema/search.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";

type Wanted = {
  readonly of: "hooks" | "actions";
  readonly text: string;
  /** The hook whose actions are listed; empty: all hooks. */
  readonly hookId: string;
};

const shown = 20;

/** Hooks or actions with a text in their name, for the picker of a filter. */
export async function findChoices(
  accountId: string,
  { of, text, hookId }: Wanted,
): Promise<Choices> {
  const { db } = serverContext();
  const q = text.trim();
  if (q !== "" && !filterText.safeParse(q).success) return { choices: [], isMore: false };
  const limit = shown + 1;
  if (of === "hooks") return toChoices(await findHooksByName(db, accountId, q, limit));
  const ofHook = isId(hookId) ? hookId : null;
  const actions = await findActionsByName(db, accountId, { text: q, hookId: ofHook, limit });
  return toChoices(actions.map(({ id, name, hookName }) => ({ id, name, hookName })));
}

function toChoices(found: Choices["choices"]): Choices {
  return { choices: found.slice(0, shown), isMore: found.length > shown };
}
