import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  changeSavedView,
  clearDefaultView,
  countSavedViews,
  deleteSavedView as deleteView,
  listDefaultViews as findDefaultViews,
  getSavedView as findView,
  listSavedViews as findViews,
  getDeletedView,
  insertSavedView,
  restoreSavedView as restoreView,
  type SavedViewRecord,
} from "#lib/db/accounts/saved-views.ts";
import {
  findUnknownParam,
  savedViewDefaultSchema,
  savedViewPatchSchema,
  savedViewQuerySchema,
  savedViewSchema,
  type ViewList,
  type ViewParams,
} from "#lib/schema/account/saved-view.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

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

/** The views that everyone sees first: at most one of a list. */
export const listDefaultViews = service({
  permission: "deliveries:read",
  input: z.object({}),
  run: ({ db, actor }) => findDefaultViews(db, actor.accountId),
});

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

/** Renames a saved view, or replaces its parameters. */
export const updateSavedView = service({
  permission: "deliveries:write",
  input: savedViewPatchSchema.extend({ id: recordId }),
  run: async (context, { id, name, params }): Promise<SavedViewRecord> => {
    const { db, actor } = context;
    const before = await findView(db, actor.accountId, id);
    if (params !== undefined) requireKnownParams(before.list, params);
    if (name !== undefined && name !== before.name)
      await requireNewName(context, before.list, name);
    return await db.$transaction(async (tx) => {
      await changeSavedView(tx, actor.accountId, before.id, {
        ...(name !== undefined && { name }),
        ...(params !== undefined && { params }),
      });
      const after = await findView(tx, actor.accountId, id);
      const targets = [{ type: "saved_view", id, name: after.name }];
      await audit(context, { event: "saved_view.updated", targets, before, after }, tx);
      return after;
    });
  },
});

/** Makes a view what everyone sees first, in place of another one, or ends that. */
export const setDefaultView = service({
  permission: "account:write",
  input: savedViewDefaultSchema.extend({ id: recordId }),
  run: async (context, { id, isDefault }): Promise<SavedViewRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const before = await findView(tx, actor.accountId, id);
      if (isDefault) await clearDefaultView(tx, actor.accountId, before.list);
      await changeSavedView(tx, actor.accountId, before.id, { isDefault });
      const after = await findView(tx, actor.accountId, id);
      const targets = [{ type: "saved_view", id, name: after.name }];
      await audit(context, { event: "saved_view.updated", targets, before, after }, tx);
      return after;
    });
  },
});

/** No one sees the view any more. It can be restored for a minute. */
export const deleteSavedView = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const { name } = await findView(tx, actor.accountId, id);
      await deleteView(tx, actor.accountId, id);
      const targets = [{ type: "saved_view", id, name }];
      await audit(context, { event: "saved_view.deleted", targets }, tx);
    });
  },
});

/** Takes a deletion back: the view is as it was, with its id. */
export const restoreSavedView = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<SavedViewRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const { list, name, ...view } = await getDeletedView(tx, actor.accountId, id);
      await requireNewName(context, list, name);
      await restoreView(tx, actor.accountId, { ...view, list, name });
      const targets = [{ type: "saved_view", id, name }];
      await audit(context, { event: "saved_view.restored", targets }, tx);
      return await findView(tx, actor.accountId, id);
    });
  },
});

/** Throws `invalid_request` if the list doesn't have one of these parameters. */
function requireKnownParams(list: ViewList, params: ViewParams): void {
  const unknown = findUnknownParam(list, params);
  if (unknown !== undefined)
    throw invalidField(`params.${unknown}`, `is no parameter of the list of ${list}.`);
}

/** Throws `conflict` if the list has a view with this name. */
async function requireNewName(
  { db, actor }: ServiceContext,
  list: ViewList,
  name: string,
): Promise<void> {
  if ((await countSavedViews(db, actor.accountId, { list, name })) === 0) return;
  throw new AppError("conflict", "There is a view with this name. Choose another one.", {
    errors: [{ path: "name", code: "conflict", message: "is the name of another view" }],
  });
}
