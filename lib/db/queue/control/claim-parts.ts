import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { Prisma } from "../../generated/client.ts";
import { allowances, limited, shared, started } from "./claim-destinations.ts";
import { gates, probed } from "./claim-limits.ts";
import { orderedFront, orderedHeads, turned } from "./claim-order.ts";

const rateTokens = Prisma.sql`case when l.seconds_each is null then null else coalesce(rate.tokens, 0) end`;

/** Parts of the claim for actions with a breaker, an order, or a destination with limits. */
export const withControl = {
  condition: Prisma.empty,
  destination: Prisma.sql`left join destinations d on d.id = a.destination_ids[1] and a.steps is null
          and coalesce(d.max_concurrency, d.rate_count, d.breaker_failures) is not null`,
  limited,
  gates: Prisma.sql`${gates}, ${orderedHeads}, ${allowances},`,
  learnedLimit: Prisma.sql`case when gate.starts > 0 then r.queue_leased + gate.starts else least(l.learned_limit, gate.room) end`,
  tokens: Prisma.sql`least(${rateTokens}, gate.starts)`,
  gateJoin: Prisma.sql`left join gates gate on gate.target_id = l.target_id`,
  orderedFront: Prisma.sql`union all
          ${orderedFront}`,
  shared: Prisma.sql`${shared},`,
  isShared: Prisma.sql`and (f.destination_id is null or f.is_unkeyed or f.id = any (array(select id from shared)))`,
  started,
  turned: Prisma.sql`, ${probed}, ${turned}`,
};

/**
 * The same without those actions. Their parts add half a millisecond to each claim, even if unused.
 */
export const withoutControl: typeof withControl = {
  condition: Prisma.sql`and a.breaker_failures is null and a.order_by is null and a.destination_ids = '{}'`,
  destination: Prisma.sql`cross join (select null::uuid as id, null::int as breaker_failures) d`,
  limited: Prisma.sql`limited as (select target_id, seconds_each from open_queues)`,
  gates: Prisma.empty,
  learnedLimit: Prisma.sql`l.learned_limit`,
  tokens: rateTokens,
  gateJoin: Prisma.empty,
  orderedFront: Prisma.empty,
  shared: Prisma.empty,
  isShared: Prisma.empty,
  started: Prisma.sql`started as (select id, target_id from claimed)`,
  turned: Prisma.empty,
};

/** True if any action has a breaker, an order, or a destination. Takes one index lookup. */
export async function hasControl(db: SqlDatabase): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from actions where breaker_failures is not null or order_by is not null or destination_ids <> '{}' order by id limit 1
    ) as found`;
  return row?.found ?? true;
}
