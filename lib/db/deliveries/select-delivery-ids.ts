import { isId } from "#lib/base/ids.ts";
import type { IdSpan } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";

/** The hooks that a filter selects. Deleted ones still have rows until they are purged. */
export type SelectedHooks = {
  readonly live: readonly string[];
  readonly deleted: readonly string[];
};

export type DeliveryIds = {
  readonly accountId: string;
  readonly filter: DeliveryFilter;
  readonly hooks: SelectedHooks;
  readonly span: IdSpan;
  readonly limit: number;
};

/** True if a filter matches few rows, which have their own index. */
export function isOneOfFew({ eventId, batchId, isSample }: DeliveryFilter): boolean {
  return eventId !== undefined || batchId !== undefined || isSample === true;
}

export function selectFew({ accountId, filter, hooks, span, limit }: DeliveryIds): Prisma.Sql {
  const { eventId, batchId, eventType, status, isSample } = filter;
  const isFound =
    batchId !== undefined
      ? Prisma.sql`batch_id = ${batchId}::uuid and (${eventId ?? null}::text is null or event_id = ${eventId ?? null})`
      : eventId === undefined
        ? Prisma.sql`is_sample`
        : Prisma.sql`event_id = ${eventId}`;
  return Prisma.sql`
    select id, status from deliveries
    where ${isFound} and account_id = ${accountId}::uuid and hook_id = any (${hooks.live}::uuid[])
      and id >= ${span.first}::uuid and id < ${span.end}::uuid
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${eventType ?? null}::text is null or event_type = ${eventType ?? null})
      and (${isSample ?? null}::boolean is null or is_sample = ${isSample ?? null})
    order by id desc limit ${limit}::int`;
}

/** True if other rows than deliveries say which ones match. */
export function isOfOthers({ ids, runs }: DeliveryFilter): boolean {
  return ids !== undefined || runs !== undefined;
}

/**
 * Selects the deliveries with a failed run, which have an index of their own by hook, or given
 * ones. The rest of the filter is checked in the rows found.
 */
export function selectOfOthers({ filter, hooks, span, limit }: DeliveryIds): Prisma.Sql {
  const ids = (filter.ids ?? []).filter(isId);
  if (filter.runs === undefined)
    return Prisma.sql`
      select id from unnest(${ids}::uuid[]) as given(id)
      where id >= ${span.first}::uuid and id < ${span.end}::uuid
      order by id desc limit ${limit}::int`;
  const isGiven =
    filter.ids === undefined ? Prisma.empty : Prisma.sql`and delivery_id = any (${ids}::uuid[])`;
  return Prisma.sql`
    select newest.delivery_id as id
    from unnest(${hooks.live}::uuid[]) as of_hook(id)
    cross join lateral (
      select distinct hook_id, delivery_id from runs
      where (hook_id, delivery_id) >= (of_hook.id, ${span.first}::uuid) and (hook_id, delivery_id) < (of_hook.id, ${span.end}::uuid)
        and hook_id is not null and state = 'failed' ${isGiven}
      order by hook_id desc, delivery_id desc limit ${limit}::int
    ) newest
    order by newest.delivery_id desc limit ${limit}::int`;
}

/** Bounds on `id` that exclude partitions. */
export function inWeeksOf(span: IdSpan): Prisma.Sql {
  const { firstWeek, endWeek } = toWeeks(span);
  return Prisma.sql`id >= ${firstWeek}::uuid and id < ${endWeek}::uuid`;
}

/**
 * Selects ids with one short walk per hook and status: the index is in order, and only the newest
 * of each can be on the page. Each branch reads only its index, since it returns only ids. The
 * bounds are row comparisons over all columns of the intended index: with equalities the planner
 * may choose the primary key and filter, which reads the whole table for a rare status or a small
 * account (seen with 30,000 rows before their first vacuum). Their values come from an array: the
 * planner considers a row comparison with constants so selective that it sorts (230 ms at a million
 * rows). The plain bounds on `id` exclude partitions. They cover whole weeks, because for a short
 * span the planner would read all of its ids once for each hook and status.
 */
export function selectByHook({ filter, hooks, span, limit }: DeliveryIds): Prisma.Sql {
  const { eventType, status, isSample } = filter;
  const isOfType = eventType !== undefined;
  const columns = isOfType ? Prisma.sql`hook_id, event_type, status` : Prisma.sql`hook_id, status`;
  const values = isOfType
    ? Prisma.sql`of_hook.id, ${eventType}::text, of_status.name`
    : Prisma.sql`of_hook.id, of_status.name`;
  const order = isOfType
    ? Prisma.sql`hook_id desc, event_type desc, status desc`
    : Prisma.sql`hook_id desc, status desc`;
  const statuses = status === undefined ? deliveryStatuses : [status];
  // Samples are few, so excluding them costs one check per row of the page.
  const noSample = isSample === false ? Prisma.sql`and not is_sample` : Prisma.empty;
  return Prisma.sql`
    select newest.id, of_status.name as status
    from unnest(${hooks.live}::uuid[]) as of_hook(id)
    cross join unnest(${[...statuses]}::text[]) as of_status(name)
    cross join lateral (
      select id from deliveries
      where (${columns}, id) >= (${values}, ${span.first}::uuid) and (${columns}, id) < (${values}, ${span.end}::uuid)
        and ${inWeeksOf(span)} ${noSample}
      order by ${order}, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}
