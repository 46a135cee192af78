import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import { deliveryStatuses } from "#lib/schema/delivery.ts";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { firstId, lastId } from "./page.ts";

export type RelatedDelivery = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly receivedAt: Date;
};

/** The newest of them, and how many there are, counted up to a bound. */
export type RelatedDeliveries = { readonly items: readonly RelatedDelivery[]; readonly count: number };

export type DeliveryRelations = {
  /** Of the same hook; null at the end. */
  readonly newerId: string | null;
  readonly olderId: string | null;
  /** What repeated it. */
  readonly duplicates: RelatedDeliveries;
  /** The events that it held, or those that came in the same request as it. */
  readonly events: RelatedDeliveries;
};

const mostShown = 20;
/** Counting stops here: a sender that repeats one event for ever must not make a page slow. */
export const mostCounted = 1_000;

/** What belongs to a delivery and what stands beside it; every part is answered from an index. */
export async function readDeliveryRelations(
  db: Database,
  accountId: string,
  delivery: {
    readonly id: string;
    readonly hookId: string;
    readonly status: DeliveryStatus;
    readonly batchId: string | null;
  },
): Promise<DeliveryRelations> {
  const { id, hookId } = delivery;
  const batchId = delivery.status === "batch" ? id : delivery.batchId;
  const [newerId, olderId, duplicates, events] = await Promise.all([
    findNeighbour(db, { accountId, hookId, id, isNewer: true }),
    findNeighbour(db, { accountId, hookId, id, isNewer: false }),
    listRelated(db, accountId, Prisma.sql`duplicate_of = ${id}::uuid`),
    batchId === null ? noneRelated : listRelated(db, accountId, Prisma.sql`batch_id = ${batchId}::uuid`),
  ]);
  return { newerId, olderId, duplicates, events };
}

const noneRelated: RelatedDeliveries = { items: [], count: 0 };

type Neighbour = {
  readonly accountId: string;
  readonly hookId: string;
  readonly id: string;
  readonly isNewer: boolean;
};

/** One step in the index of hook and status, a status at a time: bounds as `selectIds` of `list-deliveries.ts` writes them. */
async function findNeighbour(
  db: Database,
  { accountId, hookId, id, isNewer }: Neighbour,
): Promise<string | null> {
  const [low, high] = isNewer ? [id, lastId] : [firstId, id];
  const order = isNewer ? Prisma.sql`asc` : Prisma.sql`desc`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    select nearest.id
    from unnest(${[hookId]}::uuid[]) as of_hook(id)
    cross join unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
    cross join lateral (
      select id from deliveries
      where (hook_id, status, id) > (of_hook.id, of_status.name, ${low}::uuid)
        and (hook_id, status, id) < (of_hook.id, of_status.name, ${high}::uuid)
        and id > ${low}::uuid and id < ${high}::uuid and account_id = ${accountId}::uuid
      order by hook_id ${order}, status ${order}, id ${order} limit 1
    ) nearest
    order by nearest.id ${order} limit 1`;
  return rows[0]?.id ?? null;
}

type RelatedRow = {
  id: string;
  status: DeliveryStatus;
  event_type: string | null;
  event_id: string | null;
  received_at: Date;
  total: number;
};

async function listRelated(
  db: Database,
  accountId: string,
  isRelated: Prisma.Sql,
): Promise<RelatedDeliveries> {
  const rows = await db.$queryRaw<RelatedRow[]>`
    with related as (
      select id, status, event_type, event_id, received_at from deliveries
      where ${isRelated} and account_id = ${accountId}::uuid limit ${mostCounted}::int
    )
    select related.*, (select count(*)::int from related) as total from related
    order by id desc limit ${mostShown}::int`;
  return { items: rows.map(toRelated), count: rows[0]?.total ?? 0 };
}

function toRelated(row: RelatedRow): RelatedDelivery {
  return {
    id: row.id,
    status: row.status,
    eventType: row.event_type,
    eventId: row.event_id,
    receivedAt: row.received_at,
  };
}
