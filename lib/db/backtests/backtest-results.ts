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
};

/** Lists results by delivery, newest first. Throws `not_found`. */
export async function listBacktestResults(
  db: Database,
  accountId: string,
  backtestId: string,
  { outcome, changed, isNewFail = false }: ResultFilter,
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
    },
    orderBy: { deliveryId: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(
    rows.map((row) => ({ ...row, id: row.deliveryId })),
    page.limit,
  );
  const deliveries = await readDeliveries(
    db,
    accountId,
    items.map((row) => row.id),
  );
  return {
    items: items.map((row) => ({ ...toResult(row), delivery: deliveries.get(row.id) ?? null })),
    nextCursor,
  };
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
    reason: row.code === null ? null : { code: row.code, message: row.message ?? "" },
    details: row.details as BacktestDetails,
  };
}
