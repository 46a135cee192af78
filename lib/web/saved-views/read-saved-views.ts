import type { ViewList } from "#lib/schema/account/saved-view.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listDefaultViews, listSavedViews } from "#lib/services/saved-views.ts";

/** The most that an account has. */
const all = "100";

/** The saved views of a list as its page shows them, by name. */
export async function readSavedViews(context: ServiceContext, list: ViewList) {
  const { items } = await listSavedViews(context, { list, limit: all });
  return items
    .map(({ id, name, params, isDefault }) => ({ id, name, params, isDefault }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

/** The query of each list's default view, by the path of the list. */
export async function readDefaultViews(
  context: ServiceContext,
): Promise<Readonly<Record<string, string>>> {
  const views = await listDefaultViews(context, {});
  return Object.fromEntries(
    views.map(({ list, params }) => [`/${list}`, `?${new URLSearchParams(params)}`]),
  );
}
