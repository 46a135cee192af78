import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ProblemDetails, ProblemKind, ProblemResolution } from "#lib/schema/watch/problem.ts";
import { toArrayText, toPlainArrayText } from "../postgres/array-text.ts";

/** Something that went wrong, once or several times. */
export type Occurrence = {
  readonly accountId: string;
  readonly kind: ProblemKind;
  /** The key of what belongs together. At most one problem of an account with this key is open. */
  readonly key: string;
  readonly hookId?: string | null;
  readonly actionId?: string | null;
  readonly subscriptionId?: string | null;
  /** A code, such as `receiver_down` or `signature_mismatch`. */
  readonly reason?: string | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly count: number;
  readonly details: ProblemDetails;
  /** An example. */
  readonly deliveryId?: string | null;
  readonly runId?: string | null;
};

type RecordedProblem = {
  readonly id: string;
  readonly accountId: string;
  readonly key: string;
  /** False: it was open already, and has counted this. */
  readonly isNew: boolean;
};

/**
 * Opens a problem for each key that has none, and counts what belongs to an open one. Several
 * occurrences may have the same key. An acknowledged problem stays acknowledged.
 */
export async function recordProblems(
  tx: SqlStatements,
  occurrences: readonly Occurrence[],
): Promise<readonly RecordedProblem[]> {
  if (occurrences.length === 0) return [];
  const problems = merge(occurrences);
  const texts = (read: (one: Occurrence) => string | null) => toArrayText(problems.map(read));
  const numbers = (read: (one: Occurrence) => number) => toPlainArrayText(problems.map(read));
  return await tx.$queryRaw<RecordedProblem[]>`
    with input as (
      select * from unnest(
        ${texts((one) => one.accountId)}::uuid[], ${texts((one) => one.kind)}::text[], ${texts((one) => one.key)}::text[],
        ${texts((one) => one.hookId ?? null)}::uuid[], ${texts((one) => one.actionId ?? null)}::uuid[],
        ${texts((one) => one.subscriptionId ?? null)}::uuid[], ${texts((one) => one.reason ?? null)}::text[],
        ${numbers((one) => one.firstAtMs)}::float8[], ${numbers((one) => one.lastAtMs)}::float8[], ${numbers((one) => one.count)}::bigint[],
        ${texts((one) => JSON.stringify(one.details))}::text[], ${texts((one) => one.deliveryId ?? null)}::uuid[],
        ${texts((one) => one.runId ?? null)}::uuid[]
      ) as t(account_id, kind, key, hook_id, action_id, subscription_id, reason, first_ms, last_ms, count, details, delivery_id, run_id)
    ), recorded as (
      insert into problems as known (id, account_id, kind, key, hook_id, action_id, subscription_id, reason, first_at, last_at, count,
        details, delivery_id, run_id)
      select uuid_v7_at(clock_timestamp()), account_id, kind, key, hook_id, action_id, subscription_id, reason,
        to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), count, details::json, delivery_id, run_id
      from input where exists (select from accounts a where a.id = input.account_id)
      order by account_id, key
      on conflict (account_id, key) where state <> 'resolved' do update set
        first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at),
        count = known.count + excluded.count, is_changed = true,
        -- What was only counted has no example, and says less.
        details = case
          when known.delivery_id is not null and coalesce(excluded.delivery_id, excluded.run_id) is null then known.details
          else excluded.details
        end,
        delivery_id = coalesce(excluded.delivery_id, known.delivery_id), run_id = coalesce(excluded.run_id, known.run_id)
      returning id, account_id, key, (xmax = 0) as is_new
    ), counted as (
      insert into problem_counts as known (problem_id, minute, count)
      select recorded.id, date_trunc('minute', to_timestamp(at_ms / 1000)), sum(t.count)
      from unnest(
        ${toArrayText(occurrences.map((one) => one.accountId))}::uuid[], ${toArrayText(occurrences.map((one) => one.key))}::text[],
        ${toPlainArrayText(occurrences.map((one) => one.lastAtMs))}::float8[], ${toPlainArrayText(occurrences.map((one) => one.count))}::bigint[]
      ) as t(account_id, key, at_ms, count) join recorded using (account_id, key)
      group by 1, 2 order by 1, 2
      on conflict (problem_id, minute) do update set count = known.count + excluded.count
    )
    select id, account_id as "accountId", key, is_new as "isNew" from recorded`;
}

/** Opens the problem of a key, or counts one more occurrence of it. */
export async function openProblem(
  tx: SqlStatements,
  { at, ...problem }: Omit<Occurrence, "firstAtMs" | "lastAtMs" | "count"> & { readonly at: Date },
): Promise<void> {
  const atMs = at.getTime();
  await recordProblems(tx, [{ ...problem, firstAtMs: atMs, lastAtMs: atMs, count: 1 }]);
}

/** Ends the problem of a key, if there is one. It is over by itself. */
export async function resolveProblem(
  tx: SqlStatements,
  accountId: string,
  key: string,
  resolution: Exclude<ProblemResolution, "manual"> = "recovered",
): Promise<void> {
  await tx.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = ${resolution}, is_changed = true
    where account_id = ${accountId}::uuid and key = ${key} and state <> 'resolved'`;
}

/** One occurrence per key, with the sum of the counts. The last one gives the example. */
function merge(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const merged = new Map<string, Occurrence>();
  for (const one of occurrences) {
    const id = `${one.accountId} ${one.key}`;
    const known = merged.get(id);
    if (known === undefined) merged.set(id, one);
    else merged.set(id, add(known, one));
  }
  return [...merged.values()];
}

function add(a: Occurrence, b: Occurrence): Occurrence {
  return {
    ...(a.lastAtMs > b.lastAtMs ? a : b),
    firstAtMs: Math.min(a.firstAtMs, b.firstAtMs),
    lastAtMs: Math.max(a.lastAtMs, b.lastAtMs),
    count: a.count + b.count,
  };
}
