import type { Choices } from "#lib/schema/account/search.ts";
import { filterText } from "#lib/schema/field/common.ts";
import { findNamedActions } from "#lib/services/actions/read-actions.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { findNamedHooks } from "#lib/services/hooks/read-hooks.ts";

type Wanted = {
  readonly of: "hooks" | "actions";
  readonly text: string;
  /** The hook whose actions are listed; empty: all hooks. */
  readonly hookId: string;
};

const shown = 20;

/** Hooks or actions with a text in their name, for the picker of a filter. */
export async function findChoices(
  context: ServiceContext,
  { of, text, hookId }: Wanted,
): Promise<Choices> {
  const q = text.trim();
  if (q !== "" && !filterText.safeParse(q).success) return { choices: [], isMore: false };
  const named = { text: q, limit: shown + 1 };
  if (of === "hooks") return toChoices(await findNamedHooks(context, named));
  const actions = await findNamedActions(context, { ...named, hookId });
  return toChoices(actions.map(({ id, name, hookName }) => ({ id, name, hookName })));
}

function toChoices(found: Choices["choices"]): Choices {
  return { choices: found.slice(0, shown), isMore: found.length > shown };
}
