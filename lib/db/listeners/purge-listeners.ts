import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A listener without a name lasts a little longer than its connection, and one with a name two weeks. */
const keptMinutes = { unnamed: 60, named: 14 * 24 * 60 } as const;
const maxRows = 10_000;
/** Responses are for the person who works on a program, now. */
const kept = { days: 7, ofListener: 10_000 } as const;
/** Of a listener. Older ones are for providers that repeat a delivery, which they do soon. */
const keptReplies = 1_000;

/**
 * Removes listeners that no program uses any more, what no listener of its account will read, and
 * old responses.
 * Returns true if there may be more.
 */
export async function purgeListeners(db: SqlStatements): Promise<boolean> {
  await db.$executeRaw`
    delete from listeners where seen_at < now() - interval '1 minute'
      * case when name is null then ${keptMinutes.unnamed}::int else ${keptMinutes.named}::int end`;
  const read = await db.$executeRaw`
    delete from listener_log l using (
      select l.account_id, l.position from listener_heads h
      left join lateral (select min(read_position) as upto from listeners where account_id = h.account_id) r on true
      join listener_log l on l.account_id = h.account_id and (r.upto is null or l.position <= r.upto)
      limit ${maxRows}::int
    ) done where l.account_id = done.account_id and l.position = done.position`;
  const unheard = await db.$executeRaw`
    delete from listener_inbox i where (i.account_id, i.id) in (
      select i.account_id, i.id from listener_inbox i
      where not exists (select from listeners where account_id = i.account_id) limit ${maxRows}::int
    )`;
  const old = await db.$executeRaw`
    delete from listener_responses where (delivery_id, listener_id) in (
      (select delivery_id, listener_id from listener_responses
        where responded_at < now() - ${kept.days}::int * interval '1 day' order by responded_at limit ${maxRows}::int)
      union all
      (select r.delivery_id, r.listener_id from listeners me join listener_responses r on r.listener_id = me.id
        where r.cursor <= me.last_cursor - ${kept.ofListener}::int limit ${maxRows}::int)
    )`;
  const replies = await db.$executeRaw`
    update listener_responses set reply = null where (delivery_id, listener_id) in (
      select r.delivery_id, r.listener_id from listeners me join listener_responses r on r.listener_id = me.id
      where r.cursor <= me.last_cursor - ${keptReplies}::int and r.reply is not null limit ${maxRows}::int
    )`;
  return old >= maxRows || replies === maxRows || read === maxRows || unheard === maxRows;
}
