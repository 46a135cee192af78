import type { ViewList } from "#lib/schema/account/saved-view.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listSavedViews } from "#lib/services/saved-views.ts";

/** The most that an account has. */
const all = "100";

/** The saved views of a list as its page shows them, by name. */
export async function readSavedViews(context: ServiceContext, list: ViewList) {
  const { items } = await listSavedViews(context, { list, limit: all });
  return items
    .map(({ id, name, params }) => ({ id, name, params }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}
