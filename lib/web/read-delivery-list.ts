import { listHooks } from "#lib/db/hooks.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import { countRuns, type DeliveryWithRuns } from "#lib/db/overview.ts";
import { AppError } from "#lib/errors.ts";
import { largestPage } from "#lib/schema/common.ts";
import { type DeliveryQuery, readDeliveryQuery } from "./delivery-filters.ts";
import { pageLinks, type SearchParams } from "./list-query.ts";
import { serverContext } from "./server-context.ts";

const pageSize = 50;

type ListPlace = {
  /** Only its deliveries; null: of all hooks. */
  readonly hookId: string | null;
  /** Of the page that the list stands on. */
  readonly path: string;
};

/** A page of deliveries as its address asks for it. */
export async function readDeliveryList(accountId: string, { hookId, path }: ListPlace, params: SearchParams) {
  const { db } = serverContext();
  const nowMs = Date.now();
  const query = readDeliveryQuery(hookId === null ? params : { ...params, hookId: undefined }, nowMs);
  const [page, hooks] = await Promise.all([
    readPage(accountId, hookId, query),
    hookId === null ? readHookNames(accountId) : [],
  ]);
  const runs = await countRuns(
    db,
    accountId,
    page.items.map(({ id }) => id),
  );
  const names = new Map(hooks.map(({ id, name }) => [id, name]));
  const { values, problems } = query;
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    hooks,
    deliveries: page.items.map((delivery) =>
      toDeliveryRow({ ...delivery, runs: runs.get(delivery.id) ?? [] }, names),
    ),
    links: pageLinks(path, query, page.nextCursor),
  };
}

async function readPage(accountId: string, hookId: string | null, query: DeliveryQuery) {
  const nothing = { items: [], nextCursor: null };
  if (Object.keys(query.problems).length > 0) return { ...nothing, problem: null };
  const filter = hookId === null ? query.filter : { ...query.filter, hookId };
  try {
    const page = { limit: pageSize, cursor: query.cursor };
    return { ...(await listDeliveries(serverContext().db, accountId, filter, page)), problem: null };
  } catch (error) {
    // A cursor that somebody typed.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}

async function readHookNames(accountId: string) {
  const { items } = await listHooks(serverContext().db, accountId, { limit: largestPage });
  return items.map(({ id, name }) => ({ id, name }));
}

/** What a list shows of a delivery. */
export function toDeliveryRow(delivery: DeliveryWithRuns, names: ReadonlyMap<string, string>) {
  const { id, hookId, status, reason, detail, receivedAt, eventType, eventId, verificationOutcome, runs } =
    delivery;
  const hookName = names.get(hookId) ?? "";
  return { id, hookName, status, reason, detail, receivedAt, eventType, eventId, verificationOutcome, runs };
}
