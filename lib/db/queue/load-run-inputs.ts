import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ActionOptions } from "#lib/schema/action-options.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import { optionColumns, readOptions } from "./option-columns.ts";

/**
 * An action as of when its runs were claimed. JSON stays text, so that a cached action need not be
 * parsed again.
 */
export type RunTarget = {
  readonly actionId: string;
  readonly accountId: string;
  readonly hook: { readonly id: string; readonly name: string };
  readonly filterJson: string | null;
  readonly requestJson: string;
  readonly retryJson: string | null;
  readonly authCiphertext: Uint8Array | null;
  readonly options: ActionOptions;
};

export type RunDelivery = {
  readonly id: string;
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** `[[name, value], …]` */
  readonly headersJson: string;
  readonly contentType: string | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly isSample: boolean;
  readonly body: Uint8Array;
};

export type RunInputs = {
  readonly targets: ReadonlyMap<string, RunTarget>;
  readonly deliveries: ReadonlyMap<string, RunDelivery>;
};

/** Loads what claimed runs need. Deleted actions and deliveries are missing from the result. */
export async function loadRunInputs(
  db: SqlDatabase,
  runs: readonly ClaimedRun[],
): Promise<RunInputs> {
  const [targets, deliveries] = await Promise.all([
    loadTargets(db, [...new Set(runs.map((run) => run.actionId))]),
    loadDeliveries(db, [...new Set(runs.map((run) => run.deliveryId))]),
  ]);
  return { targets, deliveries };
}

async function loadTargets(
  db: SqlDatabase,
  actionIds: readonly string[],
): Promise<Map<string, RunTarget>> {
  const rows = await db.$queryRaw<TargetRow[]>`
    select a.id, a.account_id, a.hook_id, h.name as hook_name, a.filter::text as filter, a.request::text as request,
      a.retry::text as retry, encode(a.auth_ciphertext, 'base64') as auth,
      ${optionColumns("a")}
    from actions a join hooks h on h.id = a.hook_id
    where a.id = any (${actionIds}::uuid[]) and a.deleted_at is null and h.deleted_at is null`;
  return new Map(rows.map((row) => [row.id, toTarget(row)]));
}

function toTarget(row: TargetRow): RunTarget {
  return {
    actionId: row.id,
    accountId: row.account_id,
    hook: { id: row.hook_id, name: row.hook_name },
    filterJson: row.filter,
    requestJson: row.request,
    retryJson: row.retry,
    authCiphertext: row.auth === null ? null : Buffer.from(row.auth, "base64"),
    options: readOptions(row),
  };
}

async function loadDeliveries(
  db: SqlDatabase,
  deliveryIds: readonly string[],
): Promise<Map<string, RunDelivery>> {
  // As text and base64: the client would parse bytes, times, and JSON value by value, which costs
  // more than the query.
  const rows = await db.$queryRaw<DeliveryRow[]>`
    select id, (extract(epoch from received_at) * 1000)::float8 as received_at_ms, method, path, query, headers::text as headers,
      content_type, event_id, event_type, is_sample, encode(body, 'base64') as body
    from deliveries where id = any (${deliveryIds}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toDelivery(row)]));
}

function toDelivery(row: DeliveryRow): RunDelivery {
  return {
    id: row.id,
    receivedAtMs: row.received_at_ms,
    method: row.method,
    path: row.path,
    query: row.query,
    headersJson: row.headers,
    contentType: row.content_type,
    eventId: row.event_id,
    eventType: row.event_type,
    isSample: row.is_sample,
    body: Buffer.from(row.body, "base64"),
  };
}

type TargetRow = {
  id: string;
  account_id: string;
  hook_id: string;
  hook_name: string;
  filter: string | null;
  request: string;
  retry: string | null;
  auth: string | null;
};

type DeliveryRow = {
  id: string;
  received_at_ms: number;
  method: string;
  path: string;
  query: string;
  headers: string;
  content_type: string | null;
  event_id: string | null;
  event_type: string | null;
  is_sample: boolean;
  body: string;
};
