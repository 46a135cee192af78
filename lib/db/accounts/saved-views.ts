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
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const select = {
  id: true,
  list: true,
  name: true,
  params: true,
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
  return await db.savedView.count({ where: { accountId, ...where } });
}

/** Throws `not_found`. */
export async function getSavedView(
  db: Database | Transaction,
  accountId: string,
  viewId: string,
): Promise<SavedViewRecord> {
  const where = { accountId, id: requireId("saved view", viewId) };
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
    where: { accountId, id: { lt: decodeCursor(cursor) }, ...(list !== undefined && { list }) },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** Changes what is given. Does nothing if the view is gone. */
export async function changeSavedView(
  db: Database | Transaction,
  accountId: string,
  id: string,
  change: { readonly name?: string; readonly params?: ViewParams },
): Promise<void> {
  const data = { ...change, updatedAt: new Date() };
  await db.savedView.updateMany({ where: { accountId, id }, data });
}

/** Throws `not_found`. */
export async function deleteSavedView(
  db: Database | Transaction,
  accountId: string,
  viewId: string,
): Promise<void> {
  const where = { accountId, id: requireId("saved view", viewId) };
  const { count } = await db.savedView.deleteMany({ where });
  if (count === 0) throw notFound("saved view");
}

function toRecord(
  row: Omit<SavedViewRecord, "list" | "params"> & { list: string; params: unknown },
): SavedViewRecord {
  return { ...row, list: row.list as ViewList, params: row.params as ViewParams };
}
