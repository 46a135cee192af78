import { firstId, lastId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

type RelatedDelivery = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly receivedAt: Date;
};

/** The newest related deliveries, and their number, counted up to a limit. */
type RelatedDeliveries = {
  readonly items: readonly RelatedDelivery[];
  readonly count: number;
};

type DeliveryRelations = {
  /** The neighbors within the same hook. Null at either end. */
  readonly newerId: string | null;
  readonly olderId: string | null;
  /** Its duplicates. */
  readonly duplicates: RelatedDeliveries;
  /** The events of a batch, or the other events of the same request. */
  readonly events: RelatedDeliveries;
};

const maxShown = 20;
/** The maximum count. A provider that repeats one event forever must not slow the page down. */
const maxCounted = 1_000;

/** Reads a delivery's related deliveries and its neighbors. Each part is one index lookup. */
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
  const { id } = delivery;
  // No delivery's `batch_id` is this id, so nothing is found.
  const batchId = (delivery.status === "batch" ? id : delivery.batchId) ?? firstId;
  const [neighbors, related] = await Promise.all([
    findNeighbors(db, accountId, delivery),
    db.$queryRaw<RelatedRow[]>`
      (${selectRelated(accountId, "duplicates", Prisma.sql`duplicate_of = ${id}::uuid`)})
      union all
      (${selectRelated(accountId, "events", Prisma.sql`batch_id = ${batchId}::uuid`)})`,
  ]);
  return {
    ...neighbors,
    duplicates: toGroup(related, "duplicates"),
    events: toGroup(related, "events"),
  };
}

type Neighbors = Pick<DeliveryRelations, "newerId" | "olderId">;

async function findNeighbors(
  db: Database,
  accountId: string,
  { id, hookId }: { readonly id: string; readonly hookId: string },
): Promise<Neighbors> {
  const place = { accountId, hookId, id };
  const [row] = await db.$queryRaw<{ newer_id: string | null; older_id: string | null }[]>`
    select (${selectNeighbor({ ...place, isNewer: true })}) as newer_id,
      (${selectNeighbor({ ...place, isNewer: false })}) as older_id`;
  return { newerId: row?.newer_id ?? null, olderId: row?.older_id ?? null };
}

type Neighbor = {
  readonly accountId: string;
  readonly hookId: string;
  readonly id: string;
  readonly isNewer: boolean;
};

/**
 * Takes one step in the index of hook and status, one status at a time. For the form of the bounds,
 * see `select-delivery-ids.ts`.
 */
function selectNeighbor({ accountId, hookId, id, isNewer }: Neighbor): Prisma.Sql {
  const [low, high] = isNewer ? [id, lastId] : [firstId, id];
  const order = isNewer ? Prisma.sql`asc` : Prisma.sql`desc`;
  return Prisma.sql`
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
}

type RelatedRow = {
  kind: RelatedKind;
  id: string;
  status: DeliveryStatus;
  event_type: string | null;
  event_id: string | null;
  received_at: Date;
  total: number;
};

type RelatedKind = "duplicates" | "events";

function selectRelated(accountId: string, kind: RelatedKind, isRelated: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    with related as (
      select id, status, event_type, event_id, received_at from deliveries
      where ${isRelated} and account_id = ${accountId}::uuid limit ${maxCounted}::int
    )
    select ${kind} as kind, related.*, (select count(*)::int from related) as total from related
    order by id desc limit ${maxShown}::int`;
}

function toGroup(rows: readonly RelatedRow[], kind: RelatedKind): RelatedDeliveries {
  const own = rows.filter((row) => row.kind === kind).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { items: own.map(toRelated), count: own[0]?.total ?? 0 };
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
