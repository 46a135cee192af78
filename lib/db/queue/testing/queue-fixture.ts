import { newId } from "#lib/base/ids.ts";
import { controlNames, controlValues, orderOpenRuns } from "#lib/db/actions/action-control.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import type { RunOrder } from "#lib/schema/act/order.ts";
import type { Breaker } from "#lib/schema/field/breaker.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";
import { type ClaimOptions, claimRuns } from "../claim/claim-runs.ts";
import type { ClaimedRun } from "../claimed-run.ts";
import { unkeyed } from "../control/claim-order.ts";

export type ActionQueue = {
  readonly accountId: string;
  readonly hookId: string;
  readonly targetId: string;
};

type ActionQueueOptions = {
  readonly accountId?: string;
  readonly maxConcurrency?: number;
  readonly request?: object | null;
  /** Steps, which replace the request. */
  readonly steps?: readonly object[] | null;
  readonly filter?: object | null;
  readonly retry?: object | null;
  readonly success?: object | null;
  readonly breaker?: Breaker;
  readonly rateLimit?: RateLimit;
  readonly order?: RunOrder;
  readonly authCiphertext?: Uint8Array;
  readonly targetId?: string;
  readonly timeoutMs?: number;
};

type RunOptions = {
  /** The offset from now, by the database's clock. Negative: in the past. */
  readonly dueInMs?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: readonly (readonly [string, string])[];
};

export type QueueFixture = {
  readonly url: string;
  readonly db: Database;
  addAccount(): Promise<string>;
  addActionQueue(options?: ActionQueueOptions): Promise<ActionQueue>;
  addRuns(actionQueue: ActionQueue, count: number, options?: RunOptions): Promise<string[]>;
  claim(options?: Partial<ClaimOptions>): Promise<readonly ClaimedRun[]>;
  readRun(id: string): Promise<StoredRun>;
  readAttempts(runId: string): Promise<StoredAttempt[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type StoredRun = {
  state: string;
  reason: string | null;
  attempt_count: number;
  crash_count: number;
  lease_id: string | null;
  worker_id: number | null;
  due_in_ms: number;
  lease_left_ms: number | null;
  is_finished: boolean;
};

type StoredAttempt = {
  number: number;
  request: string | null;
  response: string | null;
  error_code: string | null;
  error_message: string | null;
  late: boolean;
};

/** A separate database with functions to fill and read the queue. */
export async function createQueueFixture(): Promise<QueueFixture> {
  const { url, drop } = await createTestDatabase();
  const db = createDatabase({
    url: url,
    settings: queueSettings,
    poolSize: 4,
    applicationName: "queue test",
  });

  async function addAccount(): Promise<string> {
    const id = newId();
    await db.$executeRaw`insert into accounts (id, slug, name) values (${id}::uuid, ${id}, 'An account')`;
    return id;
  }

  async function addActionQueue(options: ActionQueueOptions = {}): Promise<ActionQueue> {
    const accountId = options.accountId ?? (await addAccount());
    const [hookId, targetId] = [newId(), options.targetId ?? newId()];
    const {
      steps = null,
      request = steps === null ? {} : null,
      filter = null,
      retry = null,
      success = null,
      maxConcurrency = null,
      timeoutMs = 5_000,
    } = options;
    const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value));
    await db.$executeRaw`
      insert into hooks (id, account_id, key, name, provider, methods)
      values (${hookId}::uuid, ${accountId}::uuid, ${hookId}, 'A hook', 'generic', '{POST}')`;
    await db.$executeRaw`
      insert into actions (id, account_id, hook_id, name, request, steps, filter, retry, success, auth_ciphertext, timeout_ms, max_concurrency)
      values (${targetId}::uuid, ${accountId}::uuid, ${hookId}::uuid, 'An action', ${toJson(request)}::json,
        ${toJson(steps)}::json, ${toJson(filter)}::json, ${toJson(retry)}::json, ${toJson(success)}::json, ${options.authCiphertext ?? null}::bytea, ${timeoutMs}::int, ${maxConcurrency}::int)`;
    const { breaker = null, rateLimit = null, order = null } = options;
    await db.$executeRaw`
      update actions set (${controlNames}) = row(${controlValues({ breaker, rateLimit, order })}) where id = ${targetId}::uuid`;
    if (order !== null) await orderOpenRuns(db, { id: targetId, accountId });
    return { accountId, hookId, targetId };
  }

  async function addRuns(
    actionQueue: ActionQueue,
    count: number,
    options: RunOptions = {},
  ): Promise<string[]> {
    const {
      dueInMs = -1_000,
      body = "{}",
      headers = [["Content-Type", "application/json"]],
    } = options;
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
    const ids = Array.from({ length: count }, () => newId());
    const deliveryId = newId();
    await db.$executeRaw`
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type, body_size,
        body, verification_outcome, source_ip)
      values (${deliveryId}::uuid, ${actionQueue.accountId}::uuid, ${actionQueue.hookId}::uuid, 'accepted', now(), 'POST', '/', '',
        ${JSON.stringify(headers)}::json, 'application/json', ${bytes.byteLength}::int, ${bytes}::bytea, 'not_configured', '127.0.0.1')`;
    await db.$executeRaw`
      insert into queue (id, account_id, target_id, hook_id, delivery_id, has_own_id, body_size, due_at, order_key)
      select id, ${actionQueue.accountId}::uuid, ${actionQueue.targetId}::uuid, ${actionQueue.hookId}::uuid, ${deliveryId}::uuid, true,
        ${bytes.byteLength}::int, now() + ${dueInMs}::int * interval '1 ms' + place * interval '1 us',
        (select ${unkeyed} from actions where id = ${actionQueue.targetId}::uuid and order_by is not null)
      from unnest(${ids}::uuid[]) with ordinality as t(id, place)`;
    return ids;
  }

  return {
    url,
    db,
    addAccount,
    addActionQueue,
    addRuns,
    async claim(options = {}) {
      const claim = await claimRuns(db, {
        workerId: 1,
        leaseId: newId(),
        leaseMs: 30_000,
        freeSlots: 1_000,
        freeBytes: 1_000_000,
        actionCap: 100,
        accountCap: 200,
        ...options,
      });
      return claim.runs;
    },
    async readRun(id) {
      const [run] = await db.$queryRaw<StoredRun[]>`
        select case when reason_code is null then 'queued' else 'retrying' end as state, reason_code || ': ' || reason_detail as reason,
          attempt_count, crash_count, lease_id, worker_id, false as is_finished, (extract(epoch from due_at - now()) * 1000)::float8 as due_in_ms,
          (extract(epoch from leased_until - now()) * 1000)::float8 as lease_left_ms
        from queue where id = ${id}::uuid
        union all
        select state, reason_code || ': ' || reason_detail, attempt_count, 0, null, null, true, 0, null from runs where id = ${id}::uuid`;
      if (run === undefined) throw new Error(`There is no run ${id}`);
      return run;
    },
    readAttempts: (runId) => db.$queryRaw<StoredAttempt[]>`
      select number, request, response, error_code, error_message, late from (
        select number, request::text as request, response::text as response, error_code, error_message, late, id
        from attempts where run_id = ${runId}::uuid
        union all
        select attempt_count, request, response, error_code, error_message, false, id from runs where id = ${runId}::uuid and started_at is not null
      ) made
      order by number, late, id`,
    async [Symbol.asyncDispose]() {
      await db.$disconnect();
      await drop();
    },
  };
}
