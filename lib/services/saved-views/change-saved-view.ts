import { z } from "zod";
import {
  changeSavedView,
  deleteSavedView as deleteView,
  getSavedView,
  type SavedViewRecord,
} from "#lib/db/accounts/saved-views.ts";
import { savedViewPatchSchema } from "#lib/schema/account/saved-view.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireKnownParams, requireNewName } from "./check-view.ts";

/** Renames a saved view, or replaces its parameters. */
export const updateSavedView = service({
  permission: "deliveries:write",
  input: savedViewPatchSchema.extend({ id: recordId }),
  run: async (context, { id, name, params }): Promise<SavedViewRecord> => {
    const { db, actor } = context;
    const before = await getSavedView(db, actor.accountId, id);
    if (params !== undefined) requireKnownParams(before.list, params);
    if (name !== undefined && name !== before.name)
      await requireNewName(context, before.list, name);
    return await db.$transaction(async (tx) => {
      await changeSavedView(tx, actor.accountId, before.id, {
        ...(name !== undefined && { name }),
        ...(params !== undefined && { params }),
      });
      const after = await getSavedView(tx, actor.accountId, id);
      const targets = [{ type: "saved_view", id, name: after.name }];
      await audit(context, { event: "saved_view.updated", targets, before, after }, tx);
      return after;
    });
  },
});

export const deleteSavedView = service({
  permission: "deliveries:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const { name } = await getSavedView(tx, actor.accountId, id);
      await deleteView(tx, actor.accountId, id);
      const targets = [{ type: "saved_view", id, name }];
      await audit(context, { event: "saved_view.deleted", targets }, tx);
    });
  },
});
