import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { ViewList, ViewParams } from "#lib/schema/account/saved-view.ts";

/** The filters and columns of a list under a name, for everyone of the account. */
export type SavedViewRecord = {
  readonly id: string;
  readonly list: ViewList;
  readonly name: string;
  /** The parameters of the list's URL by name. */
  readonly params: ViewParams;
  /** Everyone sees it first. At most one of a list. */
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const select = {
  id: true,
  list: true,
  name: true,
  params: true,
  isDefault: true,
  createdAt: true,
  updatedAt: true,
} as const;

type NewView = Pick<SavedViewRecord, "id" | "list" | "name" | "params"> & {
  readonly accountId: string;
};

export async function insertSavedView(
  db: Database | Transaction,
  view: NewView,
): Promise<SavedViewRecord> {
  return toRecord(await db.savedView.create({ data: view, select }));
}

export async function countSavedViews(
  db: Database,
  accountId: string,
  where: { readonly list?: ViewList; readonly name?: string } = {},
): Promise<number> {
  return await db.savedView.count({ where: { accountId, deletedAt: null, ...where } });
}

/** Throws `not_found`. */
export async function getSavedView(
  db: Database | Transaction,
  accountId: string,
  viewId: string,
): Promise<SavedViewRecord> {
  const where = { accountId, deletedAt: null, id: requireId("saved view", viewId) };
  const found = await db.savedView.findFirst({ where, select });
  if (found === null) throw notFound("saved view");
  return toRecord(found);
}

/** Lists saved views, newest first. */
export async function listSavedViews(
  db: Database,
  accountId: string,
  { list, limit, cursor }: PageRequest & { readonly list?: ViewList | undefined },
): Promise<Page<SavedViewRecord>> {
  const rows = await db.savedView.findMany({
    where: {
      ...{ accountId, deletedAt: null, id: { lt: decodeCursor(cursor) } },
      ...(list !== undefined && { list }),
    },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** The views that everyone sees first: at most one of a list. */
export async function listDefaultViews(
  db: Database,
  accountId: string,
): Promise<readonly SavedViewRecord[]> {
  const where = { accountId, isDefault: true, deletedAt: null };
  return (await db.savedView.findMany({ where, select })).map(toRecord);
}

/** Changes what is given. Does nothing if the view is gone. */
export async function changeSavedView(
  db: Database | Transaction,
  accountId: string,
  id: string,
  change: {
    readonly name?: string;
    readonly params?: ViewParams;
    readonly isDefault?: boolean;
  },
): Promise<void> {
  const data = { ...change, updatedAt: new Date() };
  await db.savedView.updateMany({ where: { accountId, deletedAt: null, id }, data });
}

/** No view of the list is the default any more. */
export async function clearDefaultView(
  db: Transaction,
  accountId: string,
  list: ViewList,
): Promise<void> {
  const where = { accountId, list, isDefault: true, deletedAt: null };
  await db.savedView.updateMany({ where, data: { isDefault: false } });
}

/** Marks a view as deleted. A sweep deletes it a minute later. Throws `not_found`. */
export async function deleteSavedView(
  db: Database | Transaction,
  accountId: string,
  viewId: string,
): Promise<void> {
  const where = { accountId, deletedAt: null, id: requireId("saved view", viewId) };
  const { count } = await db.savedView.updateMany({ where, data: { deletedAt: new Date() } });
  if (count === 0) throw notFound("saved view");
}

/** A view that was deleted and isn't gone yet. Throws `not_found`. */
export async function getDeletedView(
  db: Transaction,
  accountId: string,
  viewId: string,
): Promise<SavedViewRecord> {
  const where = { accountId, deletedAt: { not: null }, id: requireId("saved view", viewId) };
  const found = await db.savedView.findFirst({ where, select });
  if (found === null) throw notFound("saved view");
  return toRecord(found);
}

/**
 * A deleted view is as it was. If another one has become the default meanwhile, that one stays it.
 */
export async function restoreSavedView(
  db: Transaction,
  accountId: string,
  { id, list, isDefault }: SavedViewRecord,
): Promise<void> {
  const others = { accountId, list, isDefault: true, deletedAt: null };
  const isFirst = isDefault && (await db.savedView.count({ where: others })) === 0;
  const data = { deletedAt: null, isDefault: isFirst };
  await db.savedView.updateMany({ where: { accountId, id }, data });
}

function toRecord(
  row: Omit<SavedViewRecord, "list" | "params"> & { list: string; params: unknown },
): SavedViewRecord {
  return { ...row, list: row.list as ViewList, params: row.params as ViewParams };
}
