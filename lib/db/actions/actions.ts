import { AppError } from "#lib/base/errors.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { optionColumns, optionValues, setOptions } from "#lib/db/queue/option-columns.ts";
import { type ActionFilter, actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import type { ActionOptions } from "#lib/schema/act/action-options.ts";
import { controlNames, controlValues } from "./action-control.ts";
import {
  type ActionRecord,
  type ActionRow,
  actionColumns,
  toActionRecord,
} from "./action-record.ts";
import { toStoredWork } from "./action-work.ts";
import type { RequestUses } from "./request-uses.ts";

/** The columns that a service sets. */
type ActionColumns = Pick<
  ActionRecord,
  | "name"
  | "enabled"
  | "position"
  | "filter"
  | "request"
  | "steps"
  | "authCiphertext"
  | "retry"
  | "success"
  | "rateLimit"
  | "breaker"
  | "order"
> &
  ActionOptions &
  RequestUses;

type NewAction = ActionColumns & Pick<ActionRecord, "id" | "accountId" | "hookId">;

export async function insertAction(tx: Transaction, action: NewAction): Promise<void> {
  const { id, accountId, hookId, destinationIds, credentialIds } = action;
  const { request, steps } = toStoredWork(action);
  await tx.$executeRaw`
    insert into actions (
      id, account_id, hook_id, name, enabled, position, filter, request, steps, auth_ciphertext, retry, success,
      destination_ids, credential_ids, ${controlNames}, ${optionColumns()}
    ) values (
      ${id}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${action.name}, ${action.enabled}, ${action.position}::int,
      ${toJsonText(action.filter)}::json, ${toJsonText(request)}::json, ${toJsonText(steps)}::json,
      ${action.authCiphertext}::bytea, ${toJsonText(action.retry)}::json, ${toJsonText(action.success)}::json,
      ${destinationIds}::uuid[], ${credentialIds}::uuid[], ${controlValues(action)},
      ${optionValues(action)}
    )`;
}

/** The number of actions of a locked hook, and the position after the last one. */
export async function countActions(
  tx: Transaction,
  hookId: string,
): Promise<{ readonly count: number; readonly next: number }> {
  const { _count, _max } = await tx.action.aggregate({
    where: { hookId, deletedAt: null },
    _count: true,
    _max: { position: true },
  });
  return { count: _count, next: (_max.position ?? -1) + 1 };
}

/** Throws `not_found` if it is deleted, belongs to a deleted hook, or to another account. */
export async function getAction(
  db: Database | Transaction,
  accountId: string,
  actionId: string,
): Promise<ActionRecord> {
  const [row] = await db.$queryRaw<ActionRow[]>`
    select ${actionColumns} from actions
    join hooks on hooks.id = actions.hook_id and hooks.deleted_at is null
    where actions.id = ${requireId("action", actionId)}::uuid and actions.account_id = ${accountId}::uuid
      and actions.deleted_at is null`;
  if (row === undefined) throw notFound("action");
  return toActionRecord(row);
}

/** Reads the same action, and locks it until the transaction ends. */
export async function lockAction(
  tx: Transaction,
  accountId: string,
  actionId: string,
): Promise<ActionRecord> {
  const id = requireId("action", actionId);
  await tx.$queryRaw`
    select id from actions where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
  return await getAction(tx, accountId, id);
}

/** The actions of a hook, newest first. */
export async function listActions(
  db: Database,
  accountId: string,
  hookId: string,
  page: PageRequest,
): Promise<Page<ActionRecord>> {
  const rows = await db.$queryRaw<ActionRow[]>`
    select ${actionColumns} from actions
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and deleted_at is null
      and id < ${decodeCursor(page.cursor)}::uuid
    order by id desc limit ${page.limit + 1}::int`;
  return toPage(rows.map(toActionRecord), page.limit);
}

const maxEnabled = 100;

/** The actions that run on a hook's deliveries, in the order they run. */
export async function listEnabledActions(
  db: SqlStatements,
  hookId: string,
): Promise<readonly ActionRecord[]> {
  const rows = await db.$queryRaw<ActionRow[]>`
    select ${actionColumns} from actions
    where hook_id = ${hookId}::uuid and deleted_at is null and enabled order by position, id limit ${maxEnabled}::int`;
  return rows.map(toActionRecord);
}

/** The filters of the enabled actions of a hook. */
export async function listEnabledFilters(
  db: Database | Transaction,
  accountId: string,
  hookId: string,
): Promise<readonly (ActionFilter | null)[]> {
  const rows = await db.action.findMany({
    where: { accountId, hookId, enabled: true, deletedAt: null },
    select: { filter: true },
    take: maxEnabled,
  });
  return rows.map(({ filter }) => actionFilterSchema.nullable().parse(filter));
}

/** Changes a locked action, and releases it if it is held. */
export async function changeAction(
  tx: Transaction,
  actionId: string,
  action: ActionColumns,
): Promise<void> {
  const { destinationIds, credentialIds } = action;
  const { request, steps } = toStoredWork(action);
  await tx.$executeRaw`
    update actions set
      name = ${action.name}, enabled = ${action.enabled}, position = ${action.position}::int,
      filter = ${toJsonText(action.filter)}::json, request = ${toJsonText(request)}::json,
      steps = ${toJsonText(steps)}::json, auth_ciphertext = ${action.authCiphertext}::bytea,
      destination_ids = ${destinationIds}::uuid[], credential_ids = ${credentialIds}::uuid[],
      (${controlNames}) = row(${controlValues(action)}),
      retry = ${toJsonText(action.retry)}::json, success = ${toJsonText(action.success)}::json, ${setOptions(action)},
      held_since = null, held_reason = null, updated_at = now()
    where id = ${actionId}::uuid`;
}

/** Deletes an action, its credentials, and its drafts. Throws `not_found`. */
export async function markActionDeleted(
  tx: Transaction,
  accountId: string,
  actionId: string,
): Promise<void> {
  const id = requireId("action", actionId);
  const { count } = await tx.action.updateMany({
    where: { id, accountId, deletedAt: null, hook: { deletedAt: null } },
    data: { deletedAt: new Date(), authCiphertext: null },
  });
  await tx.actionDraft.deleteMany({ where: { accountId, actionId: id } });
  if (count === 0) throw notFound("action");
}

/**
 * Puts the actions of a locked hook in this order. Actions that are not listed, such as one that
 * was just added, follow in their current order.
 */
export async function placeActions(
  tx: Transaction,
  hookId: string,
  actionIds: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    update actions set position = ordered.place, updated_at = now()
    from (
      select a.id, row_number() over (order by wanted.place nulls last, a.position, a.id)::int - 1 as place
      from actions a
      left join unnest(${[...actionIds]}::uuid[]) with ordinality as wanted(id, place) on wanted.id = a.id
      where a.hook_id = ${hookId}::uuid and a.deleted_at is null
    ) ordered
    where actions.id = ordered.id and actions.position <> ordered.place`;
}

function toJsonText(value: unknown): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The action can't be stored: ${written.message}.`);
  return written.text;
}

/** True if a hook has this action. */
export async function hasAction(
  tx: Transaction,
  hookId: string,
  actionId: string,
): Promise<boolean> {
  return (await tx.action.count({ where: { id: actionId, hookId, deletedAt: null } })) > 0;
}
