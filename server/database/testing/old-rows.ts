import type { Client } from "pg";
import { newId } from "#lib/base/ids.ts";

/** A run as the version with one table of runs stored it. */
export type OldRun = {
  readonly id: string;
  /** Null: a run of the subscription. */
  readonly deliveryId: string | null;
  readonly state: "queued" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled";
  /** Attempts, each with a row of its own. */
  readonly attempts: number;
  /** `code: sentence`, in rows that are older than `reasonCode`. */
  readonly reason?: string;
  readonly reasonCode?: string;
  readonly reasonDetail?: string;
  readonly isOfPausedHook?: boolean;
  /** The id of the worker that died with it. */
  readonly workerId?: number;
  readonly crashes?: number;
  readonly attemptsBefore?: number;
  readonly dueInMs?: number;
};

/** Writes rows into the tables of that version. */
export function oldRowWriter(client: Client) {
  const accountId = newId();
  const [hookId, actionId, pausedHookId, pausedActionId] = [newId(), newId(), newId(), newId()];
  const subscriptionId = newId();

  async function addOwners(): Promise<void> {
    await client.query("insert into accounts (id, slug, name) values ($1, 'main', 'main')", [
      accountId,
    ]);
    for (const [hook, action, status] of [
      [hookId, actionId, "active"],
      [pausedHookId, pausedActionId, "paused"],
    ]) {
      await client.query(
        "insert into hooks (id, account_id, key, name, provider, methods, status) values ($1, $2, $3, 'A hook', 'generic', '{POST}', $4)",
        [hook, accountId, hook, status],
      );
      await client.query(
        "insert into actions (id, account_id, hook_id, name, request, timeout_ms) values ($1, $2, $3, 'An action', '{}', 5000)",
        [action, accountId, hook],
      );
    }
  }

  /** Returns its id. */
  async function addDelivery(at = new Date(), ofHookId = hookId): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        verification_outcome, source_ip)
      values (uuid_v7_at($1), $2, $3, 'accepted', $1, 'POST', '', '', '[]', 3, 'abc', 'verified', '127.0.0.1') returning id`,
      [at, accountId, ofHookId],
    );
    return rows[0]?.id ?? "";
  }

  async function addRun(run: OldRun): Promise<void> {
    const isOpen = run.state === "queued" || run.state === "retrying";
    const isOfHook = run.deliveryId !== null;
    const ofHook = run.isOfPausedHook ? pausedHookId : hookId;
    const ofAction = run.isOfPausedHook ? pausedActionId : actionId;
    await client.query(
      `insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, subscription_id, state, reason, reason_code,
        reason_detail, attempt_count, attempts_before, crash_count, due_at, lease_id, leased_until, worker_id, finished_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + $15 * interval '1 ms', $16,
        case when $16::uuid is not null then now() + interval '30 s' end, $17, case when $18 then null else now() end)`,
      [
        run.id,
        accountId,
        isOfHook ? ofAction : subscriptionId,
        isOfHook ? ofHook : null,
        run.deliveryId,
        isOfHook ? ofAction : null,
        isOfHook ? null : subscriptionId,
        run.state,
        run.reason,
        run.reasonCode,
        run.reasonDetail,
        run.attempts,
        run.attemptsBefore ?? 0,
        run.crashes ?? 0,
        run.dueInMs ?? -1_000,
        run.workerId === undefined ? null : newId(),
        run.workerId,
        isOpen,
      ],
    );
    await client.query(
      `insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response)
      select uuid_v7_at(at), $1, $2, number, at, 7, '{"method":"POST"}', '{"status":500}'
      from generate_series(1, $3::int) number,
        lateral (select to_timestamp(uuid_v7_ms($1) / 1000.0) + number * interval '1 ms' as at) made`,
      [run.id, accountId, run.attempts],
    );
  }

  async function addDedupeKey(key: {
    readonly hash: Buffer;
    readonly deliveryId: string;
    readonly ageSeconds: number;
    readonly withinSeconds: number | null;
    readonly seen: number;
  }): Promise<void> {
    await client.query(
      `insert into dedupe_keys (hook_id, key_hash, delivery_id, seen_count, created_at, within_seconds)
      values ($1, $2, $3, $4, now() - $5 * interval '1 s', $6)`,
      [hookId, key.hash, key.deliveryId, key.seen, key.ageSeconds, key.withinSeconds],
    );
  }

  /** Returns the id of a worker that holds no lock. */
  async function addDeadWorker(): Promise<number> {
    const { rows } = await client.query<{ id: number }>(
      "insert into workers (name) values ('dead') returning id",
    );
    return rows[0]?.id ?? 0;
  }

  return {
    ids: { accountId, hookId, actionId, pausedHookId, pausedActionId, subscriptionId },
    addOwners,
    addDelivery,
    addRun,
    addDedupeKey,
    addDeadWorker,
  };
}
