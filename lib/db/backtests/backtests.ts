import { AppError } from "#lib/base/errors.ts";
import {
  decodeCursor,
  lastId,
  type Page,
  type PageRequest,
  toIdSpan,
  toPage,
} from "#lib/core/api/page.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { type ActionWork, toStoredWork } from "#lib/db/actions/action-work.ts";
import { selectByHook } from "#lib/db/deliveries/select-delivery-ids.ts";
import type { Backtest } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import type { BacktestSet, BacktestState } from "#lib/schema/act/backtest.ts";

/** A backtest as its owner sees it. */
export type BacktestRecord = BacktestState & {
  readonly hookId: string;
  /** The action. Null: the backtest is of a new action. */
  readonly actionId: string | null;
  readonly finishedAt: Date | null;
};

export type TestedWork = ActionWork & { readonly filter: ActionFilter | null };

export type NewBacktest = {
  readonly id: string;
  readonly hookId: string;
  /** Null: the action is new. */
  readonly actionId: string | null;
  readonly draft: TestedWork;
  /** The saved version that `draft` is. Null: none. */
  readonly version: number | null;
  /** The other side of the comparison, and its version. Null: the action is new. */
  readonly current: (TestedWork & { readonly version: number }) | null;
  readonly responses: BacktestSet["responses"];
};

/** The accepted deliveries of a hook that a backtest is about. */
type BacktestDeliveries = {
  readonly oldest: string;
  readonly newest: string;
  readonly total: number;
};

/** Null: the hook has none in the set. */
export async function findBacktestDeliveries(
  db: Database,
  accountId: string,
  hookId: string,
  set: BacktestSet,
): Promise<BacktestDeliveries | null> {
  const filter = { hookId, status: "accepted", isSample: false } as const;
  const hooks = { live: [hookId], deleted: [] };
  const span = toIdSpan(set, lastId);
  const found = await db.$queryRaw<{ id: string }[]>(
    selectByHook({ accountId, filter, hooks, span, limit: set.last }),
  );
  const [newest, oldest] = [found[0], found.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  return { oldest: oldest.id, newest: newest.id, total: found.length };
}

/**
 * Stores a backtest if the account has fewer than `maxRunning` that have not ended. Otherwise
 * returns false.
 */
export async function insertBacktest(
  db: Database | Transaction,
  accountId: string,
  { id, hookId, actionId, draft, version, current, responses }: NewBacktest,
  { oldest, newest, total }: BacktestDeliveries,
  maxRunning: number,
): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    // Backtests are added one at a time within an account, so that the count is still correct when
    // the row is stored.
    await lockAccount(tx, accountId);
    const running = await tx.backtest.count({ where: { accountId, finishedAt: null } });
    if (running >= maxRunning) return false;
    await tx.$executeRaw`
      insert into backtests (id, account_id, hook_id, action_id, draft, draft_auth, current, current_auth, answers,
        version, against, first_id, seen_before, total)
      values (${id}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${actionId}::uuid, ${toText(draft)}::json,
        ${draft.authCiphertext}::bytea, ${current === null ? null : toText(current)}::json,
        ${current?.authCiphertext ?? null}::bytea, ${writeJson(responses)}::json,
        ${version}::int, ${current?.version ?? null}::int, ${oldest}::uuid, ${endAfter(newest)}::uuid, ${total}::int)`;
    return true;
  });
}

/** Throws `not_found`. */
export async function getBacktest(
  db: Database,
  accountId: string,
  backtestId: string,
): Promise<BacktestRecord> {
  const found = await db.backtest.findFirst({
    where: { id: requireId("backtest", backtestId), accountId, hook: { deletedAt: null } },
  });
  if (found === null) throw notFound("backtest");
  return toRecord(found);
}

/** Lists the backtests of an action, newest first. */
export async function listBacktests(
  db: Database,
  accountId: string,
  actionId: string,
  page: PageRequest,
): Promise<Page<BacktestRecord>> {
  const rows = await db.backtest.findMany({
    where: {
      accountId,
      actionId: requireId("action", actionId),
      hook: { deletedAt: null },
      id: { lt: decodeCursor(page.cursor) },
    },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, page.limit);
  return { items: items.map(toRecord), nextCursor };
}

/** Cancels a backtest and keeps its results. False: it has ended already. */
export async function markBacktestCancelled(
  db: Database | Transaction,
  accountId: string,
  id: string,
): Promise<boolean> {
  // By the database's clock, which the sweep compares it with.
  const count = await db.$executeRaw`
    update backtests set status = 'cancelled', finished_at = now(), draft_auth = null, current_auth = null
    where id = ${id}::uuid and account_id = ${accountId}::uuid and finished_at is null`;
  return count > 0;
}

/** Removes all but the newest `kept` backtests. Running ones stay. */
export async function removeOldBacktests(
  db: Database,
  accountId: string,
  kept: number,
): Promise<void> {
  await db.$executeRaw`
    delete from backtests where finished_at is not null and id in (
      select id from backtests where account_id = ${accountId}::uuid order by id desc offset ${kept}::int
    )`;
}

/** The id after the newest delivery. Deliveries that arrive later are not part of the backtest. */
function endAfter(newest: string): string {
  const next = (BigInt(`0x${newest.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function toText({ filter, ...work }: TestedWork): string {
  return writeJson({ filter, ...toStoredWork(work) });
}

function writeJson(value: unknown): string {
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The draft can't be stored: ${written.message}.`);
  return written.text;
}

function toRecord(row: Backtest): BacktestRecord {
  const { id, hookId, actionId, status, total, doneCount, createdAt, finishedAt } = row;
  const { runCount, skipCount, failCount, changedCount, stillFailCount, version, against } = row;
  const counts = { total, doneCount, runCount, skipCount, failCount, changedCount, stillFailCount };
  const state = { status: status as BacktestRecord["status"], version, against };
  return { id, hookId, actionId, ...state, ...counts, createdAt, finishedAt };
}
