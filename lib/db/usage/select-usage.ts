import { idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";

/** What is counted of a hook or a recipient. */
export type UsageCounts = {
  readonly deliveries: number;
  /** Of the bodies of deliveries and events. */
  readonly bytes: number;
  readonly events: number;
  /** Events that were sent to a subscription, with at least one call. */
  readonly sends: number;
  /** Of actions and sends, each try. */
  readonly calls: number;
};

export const usageCounts = ["deliveries", "bytes", "events", "sends", "calls"] as const;

export const hourMs = 3_600_000;

/** Taken to count, and to delete what may have been counted. */
export const usageLock = Prisma.sql`hashtext('count_usage')`;

/** The hour of an id, in SQL. */
export function hourOf(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_timestamp(uuid_v7_ms(${id}) / ${hourMs}::bigint * ${hourMs / 1000}::bigint)`;
}

type Span = {
  /** Unix milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Omitted: those of all accounts. */
  readonly accountId?: string;
};

/**
 * Sums what is stored of a time, as `account_id, hour, kind, subject` and the counts. Ids are times, so
 * everything counts when it was caught, published, or queued, however late a call was made.
 */
export function selectUsage({ fromMs, untilMs, accountId }: Span): Prisma.Sql {
  const inSpan = (
    id: Prisma.Sql,
  ) => Prisma.sql`${id} >= ${idFloor(fromMs)}::uuid and ${id} < ${idFloor(untilMs)}::uuid
        ${accountId === undefined ? Prisma.empty : Prisma.sql`and account_id = ${accountId}::uuid`}`;
  const span = inSpan(Prisma.sql`id`);
  const runs = (table: Prisma.Sql) => Prisma.sql`
      select id, account_id, hook_id, target_id, event_id, attempt_count from ${table} where ${span} and attempt_count > 0`;
  return sumUsage(Prisma.sql`
    ${deliveryUsage(Prisma.sql`(select id, account_id, hook_id, body_size from deliveries where ${span})`)}
    union all
    ${eventUsage(Prisma.sql`(select id, account_id, recipient, body from events where ${span})`)}
    union all
    ${runUsage(Prisma.sql`(${runs(Prisma.sql`runs`)} union all ${runs(Prisma.sql`queue`)})`)}`);
}

/** @param rows `id, account_id, kind, subject, deliveries, bytes, events, sends, calls` of single rows */
export function sumUsage(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select account_id, ${hourOf(Prisma.sql`id`)} as hour, kind, subject, sum(deliveries)::bigint as deliveries, sum(bytes)::bigint as bytes,
      sum(events)::bigint as events, sum(sends)::bigint as sends, sum(calls)::bigint as calls
    from (${rows}) as counted (id, account_id, kind, subject, deliveries, bytes, events, sends, calls)
    group by 1, 2, 3, 4`;
}

/** @param source has `id, account_id, hook_id, body_size` */
export function deliveryUsage(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select id, account_id, 'hook', hook_id::text, 1, body_size, 0, 0, 0 from ${source} as delivered`;
}

/** @param source has `id, account_id, recipient, body` */
export function eventUsage(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select id, account_id, 'recipient', coalesce(recipient, ''), 0, octet_length(body), 1, 0, 0 from ${source} as published`;
}

/**
 * The recipient is that of the subscription. Of a subscription whose row is gone, it is that of the event.
 *
 * @param source has `id, account_id, hook_id, target_id, event_id, attempt_count`
 */
export function runUsage(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select ran.id, ran.account_id, case when ran.hook_id is null then 'recipient' else 'hook' end,
      coalesce(ran.hook_id::text, case when s.id is null then e.recipient else s.recipient end, ''),
      0, 0, 0, case when ran.hook_id is null and ran.attempt_count > 0 then 1 else 0 end, ran.attempt_count
    from ${source} as ran
      left join subscriptions s on ran.hook_id is null and s.id = ran.target_id
      left join events e on ran.hook_id is null and s.id is null and e.id = ran.event_id`;
}

/** Adds to counts of `known`, or sets them: `deliveries = known.deliveries + excluded.deliveries, …`. */
export function addCounts(operator: "+" | "-", to: "known", from: "excluded" | "past"): Prisma.Sql {
  return Prisma.raw(
    usageCounts.map((name) => `${name} = ${to}.${name} ${operator} ${from}.${name}`).join(", "),
  );
}
