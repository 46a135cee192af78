import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { cancelBatchOfDeleted } from "#lib/db/hooks/purge-hooks.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/db/postgres/page.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { optionColumns, optionValues, setOptions } from "#lib/db/queue/option-columns.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { ActionInput, ActionPatch } from "#lib/schema/action/action.ts";
import { type ActionOptions, mapOptions } from "#lib/schema/action/action-options.ts";
import {
  controlNames,
  controlValues,
  mergeControl,
  orderOpenRuns,
  requireOrder,
} from "./action-control.ts";
import {
  type ActionRecord,
  type ActionRow,
  actionColumns,
  toActionRecord,
} from "./action-record.ts";
import { requireVersion, saveVersion } from "./action-versions.ts";
import { type ActionRules, toStoredWork, toWork } from "./action-work.ts";
import { requireUses } from "./request-uses.ts";

/**
 * Creates an action. Every accepted delivery queues a run of it, in the statement that stores the
 * delivery.
 */
const maxActions = 100;

/**
 * Throws `template_invalid` with line and column, and `invalid_request` for a URL that may not be
 * called.
 */
export async function createAction(
  db: Database,
  accountId: string,
  hookId: string,
  input: ActionInput,
  rules: ActionRules,
): Promise<ActionRecord> {
  await getHook(db, accountId, hookId);
  const id = newId();
  requireOrder(input.order);
  const work = toWork({ id, accountId }, input, null, rules);
  const { request, steps } = toStoredWork(work);
  return db.$transaction(async (tx) => {
    await lockHook(tx, accountId, hookId);
    const { destinationIds, credentialIds } = await requireUses(tx, accountId, work);
    const [present] = await tx.$queryRaw<{ count: number; next: number }[]>`
      select count(*)::int as count, coalesce(max(position) + 1, 0) as next from actions
      where hook_id = ${hookId}::uuid and deleted_at is null`;
    const { count, next } = present ?? { count: 0, next: 0 };
    if (count >= maxActions)
      throw new AppError("conflict", `A hook has at most ${maxActions} actions.`);
    await tx.$executeRaw`
      insert into actions (
        id, account_id, hook_id, name, enabled, position, filter, request, steps, auth_ciphertext, retry, success,
        destination_ids, credential_ids, ${controlNames}, ${optionColumns()}
      ) values (
        ${id}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${input.name}, ${input.enabled}, ${input.position ?? next}::int,
        ${toJsonText(input.filter)}::json, ${toJsonText(request)}::json, ${toJsonText(steps)}::json, ${work.authCiphertext}::bytea,
        ${toJsonText(input.retry)}::json, ${toJsonText(input.success)}::json,
        ${destinationIds}::uuid[], ${credentialIds}::uuid[], ${controlValues(input)},
        ${optionValues(input)}
      )`;
    if (input.order !== null) await orderOpenRuns(tx, { id, accountId });
    return await saveVersion(
      tx,
      { before: null, after: await readAction(tx, accountId, id) },
      rules,
    );
  });
}

/** Throws `not_found` if it is deleted, belongs to a deleted hook, or to another account. */
export async function getAction(
  db: Database,
  accountId: string,
  actionId: string,
): Promise<ActionRecord> {
  return readAction(db, accountId, actionId);
}

/** Of one hook, newest first. */
export async function listActions(
  db: Database,
  accountId: string,
  hookId: string,
  page: PageRequest,
): Promise<Page<ActionRecord>> {
  await getHook(db, accountId, hookId);
  const rows = await db.$queryRaw<ActionRow[]>`
    select ${actionColumns} from actions
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and deleted_at is null
      and id < ${decodeCursor(page.cursor)}::uuid
    order by id desc limit ${page.limit + 1}::int`;
  return toPage(rows.map(toActionRecord), page.limit);
}

/**
 * Omitted fields stay. `request`, `steps`, and `retry` are replaced as a whole, except for
 * credentials that a call omits. Throws `conflict` if the change started from an older version.
 *
 * @param restoredFrom the version that the change restores
 */
export async function updateAction(
  db: Database,
  accountId: string,
  actionId: string,
  patch: ActionPatch,
  rules: ActionRules,
  restoredFrom: number | null = null,
): Promise<ActionRecord> {
  const saved = await db.$transaction(async (tx) => {
    const before = await readAction(tx, accountId, actionId, { forUpdate: true });
    requireVersion(before, patch.version);
    requireOrder(patch.order);
    const work = toWork(before, patch, before, rules);
    const { request, steps } = toStoredWork(work);
    const { destinationIds, credentialIds } = await requireUses(tx, accountId, work);
    const control = mergeControl(patch, before);
    const options = mapOptions((name) =>
      patch[name] === undefined ? before[name] : patch[name],
    ) as ActionOptions;
    await tx.$executeRaw`
      update actions set
        name = ${patch.name ?? before.name}, enabled = ${patch.enabled ?? before.enabled},
        position = ${patch.position ?? before.position}::int,
        filter = ${toJsonText(patch.filter === undefined ? before.filter : patch.filter)}::json,
        request = ${toJsonText(request)}::json, steps = ${toJsonText(steps)}::json, auth_ciphertext = ${work.authCiphertext}::bytea,
        destination_ids = ${destinationIds}::uuid[], credential_ids = ${credentialIds}::uuid[],
        (${controlNames}) = row(${controlValues(control)}),
        retry = ${toJsonText(patch.retry ?? before.retry)}::json,
        success = ${toJsonText(patch.success === undefined ? before.success : patch.success)}::json, ${setOptions(options)},
        held_since = null, held_reason = null, updated_at = now()
      where id = ${before.id}::uuid and account_id = ${accountId}::uuid`;
    if (patch.breaker !== undefined) await closeBreaker(tx, before.id);
    if (control.order !== null && control.order.by !== before.order?.by)
      await orderOpenRuns(tx, before);
    const after = await readAction(tx, accountId, actionId);
    return await saveVersion(tx, { before, after, restoredFrom }, rules);
  });
  if (saved.enabled) notifyRunsDue(db);
  return saved;
}

/**
 * Deletes an action and its credentials. The first few thousand open runs are cancelled with it.
 * `cancelRunsOfDeleted` cancels the rest, and any in flight, within about a minute.
 */
export async function deleteAction(
  db: Database,
  accountId: string,
  actionId: string,
): Promise<void> {
  const deleted = await db.$executeRaw`
    update actions set deleted_at = now(), auth_ciphertext = null
    where id = ${requireId("action", actionId)}::uuid and account_id = ${accountId}::uuid and deleted_at is null
      and exists (select from hooks where hooks.id = actions.hook_id and hooks.deleted_at is null)`;
  if (deleted === 0) throw notFound("action");
  await cancelBatchOfDeleted(db, { actionId });
}

async function readAction(
  tx: Prisma.TransactionClient,
  accountId: string,
  actionId: string,
  { forUpdate = false } = {},
): Promise<ActionRecord> {
  const id = requireId("action", actionId);
  if (forUpdate)
    await tx.$queryRaw`select id from actions where id = ${id}::uuid for no key update`;
  const [row] = await tx.$queryRaw<ActionRow[]>`
    select ${actionColumns} from actions
    join hooks on hooks.id = actions.hook_id and hooks.deleted_at is null
    where actions.id = ${id}::uuid and actions.account_id = ${accountId}::uuid and actions.deleted_at is null`;
  if (row === undefined) throw notFound("action");
  return toActionRecord(row);
}

function toJsonText(value: unknown): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The action can't be stored: ${written.message}.`);
  return written.text;
}
