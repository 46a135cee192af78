import {
  getSavedView as findView,
  listSavedViews as findViews,
} from "#lib/db/accounts/saved-views.ts";
import { savedViewQuerySchema } from "#lib/schema/account/saved-view.ts";
import { byId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { SavedViewRecord } from "#lib/db/accounts/saved-views.ts";

/** Returns a saved view of the account. Throws `not_found`. */
export const getSavedView = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findView(db, actor.accountId, id),
});

/** The account's saved views, newest first. */
export const listSavedViews = service({
  permission: "deliveries:read",
  input: savedViewQuerySchema,
  run: ({ db, actor }, query) => findViews(db, actor.accountId, query),
});
