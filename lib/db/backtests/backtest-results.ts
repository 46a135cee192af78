import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { type SummaryRow, summaryColumns, toSummary } from "#lib/db/deliveries/delivery-summary.ts";
import type { BacktestResult as StoredResult } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { BacktestDetails, BacktestOutcome } from "#lib/schema/act/backtest.ts";
import { getBacktest } from "./backtests.ts";

/** The outcome of the draft for one delivery. */
export type BacktestResult = {
  readonly deliveryId: string;
  readonly outcome: BacktestOutcome;
  /** The outcome of the version in force. Null: there is none. */
  readonly currentOutcome: BacktestOutcome | null;
  readonly isChanged: boolean;
  /** The same for all results that differ in the same way. */
  readonly changeKey: string;
  /** The reason for which the run would be skipped or would fail. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly details: BacktestDetails;
};

/** A result with the delivery's fields for a list. Null: the delivery was deleted. */
export type ListedResult = BacktestResult & {
  readonly delivery: {
    readonly receivedAt: Date;
    readonly eventType: string | null;
    readonly eventId: string | null;
  } | null;
};

type ResultFilter = {
  readonly outcome?: BacktestOutcome | undefined;
  readonly changed?: boolean | undefined;
  /** Those that would fail, and don't with the other version. */
  readonly isNewFail?: boolean | undefined;
  readonly changeKey?: string | undefined;
};

/** Lists results by delivery, newest first. Throws `not_found`. */
export async function listBacktestResults(
  db: Database,
  accountId: string,
  backtestId: string,
  { outcome, changed, isNewFail = false, changeKey }: ResultFilter,
  page: PageRequest,
): Promise<Page<ListedResult>> {
  const { id } = await getBacktest(db, accountId, backtestId);
  const rows = await db.backtestResult.findMany({
    where: {
      backtestId: id,
      deliveryId: { lt: decodeCursor(page.cursor) },
      ...(outcome === undefined ? {} : { outcome }),
      ...(changed === undefined ? {} : { isChanged: changed }),
      ...(isNewFail ? { outcome: "fail", currentOutcome: { not: "fail" } } : {}),
      ...(changeKey === undefined ? {} : { changeKey }),
    },
    orderBy: { deliveryId: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(
    rows.map((row) => ({ ...row, id: row.deliveryId })),
    page.limit,
  );
  return { items: await withDeliveries(db, accountId, items), nextCursor };
}

/** Results that differ in the same way. */
export type ResultGroup = {
  readonly count: number;
  /** The newest of them. */
  readonly example: ListedResult;
};

type GroupRow = { readonly count: number; readonly exampleId: string };

/** The ways in which the results of a backtest differ: changes first, the most frequent first. */
export async function listResultGroups(
  db: Database,
  accountId: string,
  backtestId: string,
  { outcome: wanted, changed: asked, isNewFail = false }: Omit<ResultFilter, "changeKey">,
  maxGroups: number,
): Promise<readonly ResultGroup[]> {
  const [outcome, changed] = [wanted ?? null, asked ?? null];
  const { id } = await getBacktest(db, accountId, backtestId);
  const rows = await db.$queryRaw<GroupRow[]>`
    select count(*)::int as count, (array_agg(delivery_id order by delivery_id desc))[1] as "exampleId"
    from backtest_results
    where backtest_id = ${id}::uuid and (${outcome}::text is null or outcome = ${outcome}::text)
      and (${changed}::boolean is null or is_changed = ${changed}::boolean)
      and (not ${isNewFail}::boolean or (outcome = 'fail' and current_outcome <> 'fail'))
    group by is_changed, change_key
    order by is_changed desc, count(*) desc, change_key limit ${maxGroups}::int`;
  const found = await db.backtestResult.findMany({
    where: { backtestId: id, deliveryId: { in: rows.map(({ exampleId }) => exampleId) } },
  });
  const examples = new Map(
    (await withDeliveries(db, accountId, found)).map((example) => [example.deliveryId, example]),
  );
  return rows.flatMap(({ count, exampleId }) => {
    const example = examples.get(exampleId);
    return example === undefined ? [] : [{ count, example }];
  });
}

async function withDeliveries(
  db: Database,
  accountId: string,
  rows: readonly Row[],
): Promise<ListedResult[]> {
  const ids = rows.map(({ deliveryId }) => deliveryId);
  const deliveries = await readDeliveries(db, accountId, ids);
  return rows.map((row) => ({
    ...toResult(row),
    delivery: deliveries.get(row.deliveryId) ?? null,
  }));
}

async function readDeliveries(db: Database, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<SummaryRow[]>`
    select ${summaryColumns} from unnest(${[...ids]}::uuid[]) as wanted(wanted_id)
    cross join lateral (select * from deliveries where id = wanted.wanted_id limit 1) delivery
    where account_id = ${accountId}::uuid`;
  return new Map(rows.map((row) => [row.id, toSummary(row)]));
}

type Row = Omit<StoredResult, "details"> & { readonly details: unknown };

/** Reads a row without validating it again, since `storeBacktestResults` wrote it. */
function toResult(row: Row): BacktestResult {
  return {
    deliveryId: row.deliveryId,
    outcome: row.outcome as BacktestOutcome,
    currentOutcome: row.currentOutcome as BacktestOutcome | null,
    isChanged: row.isChanged,
    changeKey: row.changeKey,
    reason: row.code === null ? null : { code: row.code, message: row.message ?? "" },
    details: row.details as BacktestDetails,
  };
}
