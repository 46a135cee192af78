import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ActionOptions } from "#lib/schema/act/action-options.ts";
import { Prisma } from "../generated/client.ts";
import { optionColumns, readOptions } from "./option-columns.ts";
import {
  type DeliveryRow,
  deliveryColumns,
  type RunDelivery,
  toRunDelivery,
} from "./run-delivery.ts";

/**
 * An action as it was when its runs were claimed. JSON stays text, so that a cached action doesn't
 * have to be parsed again.
 */
export type RunTarget = {
  readonly targetId: string;
  readonly accountId: string;
  readonly hook: HookView;
  readonly filterJson: string | null;
  /** Null: the action has steps. */
  readonly requestJson: string | null;
  readonly stepsJson: string | null;
  readonly retryJson: string | null;
  readonly successJson: string | null;
  /** The template of the order key. Null: its runs have no order. */
  readonly orderBy: string | null;
  /** The reply settings, if it replies to the provider of its hook. */
  readonly replyJson: string | null;
  readonly authCiphertext: Uint8Array | null;
  /** `SavedRows` of its requests, as text. Null: they name none. Undefined: nothing is sent. */
  readonly savedJson: string | null | undefined;
  readonly options: ActionOptions;
  /** The version that its owner sees and that is recorded with the run. */
  readonly actionVersion: number;
  /** Changes whenever the action or its hook does. */
  readonly version: string;
};

/**
 * `SavedRows` of the action `a`, as text. Null for an action that names none, which costs nothing.
 * A change of any of these rows also writes the action's row, so its version changes.
 */
const savedRows = Prisma.sql`
  case when a.credential_ids = '{}' and a.destination_ids = '{}' then null else json_build_object(
    'credentials', (
      select coalesce(json_agg(json_build_object(
        'id', c.id, 'version', c.version, 'origin', c.origin, 'ciphertext', encode(c.ciphertext, 'base64'))), '[]')
      from credentials c
      where c.account_id = a.account_id and (c.id = any (a.credential_ids)
        or c.id in (select d.credential_id from destinations d where d.id = any (a.destination_ids)))
    ),
    'destinations', (
      select coalesce(json_agg(json_build_object('id', d.id, 'credentialId', d.credential_id)), '[]')
      from destinations d where d.account_id = a.account_id and d.id = any (a.destination_ids)
    )
  )::text end`;

/** Loads the current actions. Deleted ones are missing. */
export async function loadTargets(
  db: SqlDatabase,
  targetIds: readonly string[],
): Promise<ReadonlyMap<string, RunTarget>> {
  if (targetIds.length === 0) return new Map();
  const rows = await db.$queryRaw<TargetRow[]>`
    select a.id, a.account_id, a.hook_id, h.name as hook_name, h.provider as hook_provider, a.filter::text as filter, a.request::text as request,
      a.steps::text as steps, a.retry::text as retry, a.success::text as success, a.order_by,
      encode(a.auth_ciphertext, 'base64') as auth, ${savedRows} as saved, a.xmin::text || '.' || h.xmin::text as version,
      case when h.answer ->> 'actionId' = a.id::text then h.answer::text end as reply,
      a.version as action_version, ${optionColumns("a")}
    from actions a join hooks h on h.id = a.hook_id
    where a.id = any (${targetIds}::uuid[]) and a.deleted_at is null and h.deleted_at is null`;
  return new Map(rows.map((row) => [row.id, toTarget(row)]));
}

/** Loads deliveries that did not come with the claim. Deleted ones are missing. */
export async function loadDeliveries(
  db: SqlDatabase,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, RunDelivery>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db.$queryRaw<DeliveryRow[]>`
    select id as delivery_id, ${deliveryColumns} from deliveries
    where id = any (${deliveryIds}::uuid[]) order by id`;
  return new Map(rows.map((row) => [row.delivery_id, toRunDelivery(row)]));
}

function toTarget(row: TargetRow): RunTarget {
  return {
    targetId: row.id,
    accountId: row.account_id,
    hook: toHookView({ id: row.hook_id, name: row.hook_name, provider: row.hook_provider }),
    filterJson: row.filter,
    requestJson: row.request,
    stepsJson: row.steps,
    retryJson: row.retry,
    successJson: row.success,
    orderBy: row.order_by,
    replyJson: row.reply,
    authCiphertext: row.auth === null ? null : Buffer.from(row.auth, "base64"),
    savedJson: row.saved,
    options: readOptions(row),
    actionVersion: row.action_version,
    version: row.version,
  };
}

type TargetRow = {
  id: string;
  account_id: string;
  hook_id: string;
  hook_name: string;
  hook_provider: string;
  filter: string | null;
  request: string | null;
  steps: string | null;
  retry: string | null;
  success: string | null;
  order_by: string | null;
  reply: string | null;
  auth: string | null;
  action_version: number;
  saved: string | null;
  version: string;
};
