import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  countSavedViews,
  insertSavedView,
  type SavedViewRecord,
} from "#lib/db/accounts/saved-views.ts";
import { savedViewSchema } from "#lib/schema/account/saved-view.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireKnownParams, requireNewName } from "./check-view.ts";

const maxViews = 100;

/** Saves the filters and columns of a list under a name, for everyone of the account. */
export const createSavedView = service({
  permission: "deliveries:write",
  input: savedViewSchema,
  run: async (context, { list, name, params }): Promise<SavedViewRecord> => {
    const { db, actor } = context;
    requireKnownParams(list, params);
    await requireNewName(context, list, name);
    if ((await countSavedViews(db, actor.accountId)) >= maxViews)
      throw new AppError("conflict", `An account has at most ${maxViews} saved views.`);
    const { accountId } = actor;
    return await db.$transaction(async (tx) => {
      const view = await insertSavedView(tx, { id: newId(), accountId, list, name, params });
      const targets = [{ type: "saved_view", id: view.id, name }];
      await audit(context, { event: "saved_view.created", targets }, tx);
      return view;
    });
  },
});
