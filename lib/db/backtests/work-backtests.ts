import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { selectByHook } from "#lib/db/deliveries/select-delivery-ids.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { loadSteps, type StepRecord } from "#lib/db/queue/load-steps.ts";
import { runSourcesOfDeliveries } from "#lib/db/runs/run-sources.ts";
import type { BacktestResult } from "./backtest-results.ts";

/** A backtest that this process has leased for `leaseSeconds`. */
export type LeasedBacktest = {
  readonly id: string;
  readonly accountId: string;
  readonly hook: HookView;
  readonly actionId: string | null;
  /** JSON text: `{filter, request, steps}`. */
  readonly draftJson: string;
  readonly draftAuth: Uint8Array | null;
  readonly currentJson: string | null;
  readonly currentAuth: Uint8Array | null;
  readonly responsesJson: string | null;
  readonly firstId: string;
  readonly seenBefore: string;
  readonly storedChars: number;
};

/**
 * Longer than a batch takes. If its process is killed, another one continues with the same batch
 * after this time. No transaction is open while a batch is evaluated, which may take seconds.
 */
const leaseSeconds = 60;

type Row = Omit<LeasedBacktest, "hook" | "draftAuth" | "currentAuth" | "storedChars"> & {
  readonly hookId: string;
  readonly hookName: string;
  readonly provider: string;
  readonly draftAuth: string | null;
  readonly currentAuth: string | null;
  readonly storedChars: number;
};

/** Leases a backtest that no worker has. Null: there is none. */
export async function leaseBacktest(db: SqlDatabase): Promise<LeasedBacktest | null> {
  const [row] = await db.$queryRaw<Row[]>`
    update backtests b set leased_until = now() + ${leaseSeconds}::int * interval '1 second'
    from hooks h
    where h.id = b.hook_id and b.id = (
      select id from backtests where finished_at is null and (leased_until is null or leased_until < now())
      order by random() limit 1 for update skip locked
    )
    returning b.id, b.account_id as "accountId", b.hook_id as "hookId", h.name as "hookName", h.provider, b.action_id as "actionId",
      b.draft::text as "draftJson", encode(b.draft_auth, 'base64') as "draftAuth", b.current::text as "currentJson",
      encode(b.current_auth, 'base64') as "currentAuth", b.answers::text as "responsesJson", b.first_id as "firstId",
      b.seen_before as "seenBefore", b.stored_chars::float8 as "storedChars"`;
  if (row === undefined) return null;
  const { hookId, hookName, provider, draftAuth, currentAuth, ...rest } = row;
  return {
    ...rest,
    hook: toHookView({ id: hookId, name: hookName, provider }),
    draftAuth: toBytes(draftAuth),
    currentAuth: toBytes(currentAuth),
  };
}

/** The next deliveries of a backtest, newest first. */
export async function readBacktestBatch(
  db: SqlDatabase,
  { accountId, hook, firstId, seenBefore }: LeasedBacktest,
  limit: number,
): Promise<readonly { readonly id: string; readonly bodySize: number }[]> {
  const filter = { hookId: hook.id, status: "accepted", isSample: false } as const;
  const hooks = { live: [hook.id], deleted: [] };
  const span = { first: firstId, end: seenBefore };
  return await db.$queryRaw`
    select d.id, d.body_size as "bodySize" from (
      ${selectByHook({ accountId, filter, hooks, span, limit })}
    ) next cross join lateral (select id, body_size from deliveries where id = next.id limit 1) d
    order by d.id desc`;
}

/** The last run of the action for a delivery, with the results of its steps. */
export type RealRun = {
  readonly id: string;
  readonly steps: readonly StepRecord[];
  /** The response of a run with one call, as JSON text. */
  readonly responseJson: string | null;
};

/** Reads the last runs, by delivery. */
export async function readRealRuns(
  db: SqlDatabase,
  { accountId, actionId }: LeasedBacktest,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, RealRun>> {
  if (actionId === null || deliveryIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; delivery_id: string; response: string | null }[]>`
    select r.id, r.delivery_id, r.response from ${runSourcesOfDeliveries(deliveryIds)}
    where r.target_id = ${actionId}::uuid and r.account_id = ${accountId}::uuid
    order by r.id`;
  const latest = new Map(rows.map((row) => [row.delivery_id, row]));
  const steps = await loadSteps(
    db,
    [...latest.values()].map(({ id }) => id),
  );
  return new Map(
    [...latest].map(([deliveryId, { id, response }]) => [
      deliveryId,
      { id, steps: steps.get(id) ?? [], responseJson: response },
    ]),
  );
}

type Progress = { readonly seenBefore: string; readonly isAtEnd: boolean };

/**
 * Writes results and progress in one statement. Nothing is written if another process has done the
 * same batch, or the backtest was canceled.
 */
export async function storeBacktestResults(
  db: SqlDatabase,
  { id, seenBefore: before }: LeasedBacktest,
  results: readonly BacktestResult[],
  { seenBefore, isAtEnd }: Progress,
): Promise<void> {
  const count = (is: (result: BacktestResult) => boolean) => results.filter(is).length;
  const details = results.map((result) => JSON.stringify(result.details));
  const chars = details.reduce((sum, text) => sum + text.length, 0);
  await db.$executeRaw`
    with progress as (
      update backtests set seen_before = ${seenBefore}::uuid, leased_until = null,
        done_count = done_count + ${results.length}::int,
        run_count = run_count + ${count(({ outcome }) => outcome === "run")}::int,
        skip_count = skip_count + ${count(({ outcome }) => outcome === "skip")}::int,
        fail_count = fail_count + ${count(({ outcome }) => outcome === "fail")}::int,
        changed_count = changed_count + ${count(({ isChanged }) => isChanged)}::int,
        still_fail_count = still_fail_count + ${count(isStillFail)}::int,
        stored_chars = stored_chars + ${chars}::bigint,
        status = case when ${isAtEnd} then 'finished' else status end,
        finished_at = case when ${isAtEnd} then now() end,
        draft_auth = case when ${isAtEnd} then null else draft_auth end,
        current_auth = case when ${isAtEnd} then null else current_auth end
      where id = ${id}::uuid and seen_before = ${before}::uuid and finished_at is null
      returning id
    )
    insert into backtest_results (backtest_id, delivery_id, outcome, current_outcome, is_changed, change_key, code, message, details)
    select progress.id, made.* from progress cross join unnest(
      ${results.map(({ deliveryId }) => deliveryId)}::uuid[], ${results.map(({ outcome }) => outcome)}::text[],
      ${results.map(({ currentOutcome }) => currentOutcome)}::text[], ${results.map(({ isChanged }) => isChanged)}::boolean[],
      ${results.map(({ changeKey }) => changeKey)}::text[],
      ${results.map(({ reason }) => reason?.code ?? null)}::text[], ${results.map(({ reason }) => reason?.message ?? null)}::text[],
      ${details}::json[]
    ) as made`;
}

function isStillFail({ outcome, currentOutcome }: BacktestResult): boolean {
  return outcome === "fail" && currentOutcome === "fail";
}

function toBytes(base64: string | null): Uint8Array | null {
  return base64 === null ? null : Buffer.from(base64, "base64");
}
