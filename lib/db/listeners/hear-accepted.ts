/**
 * The part of the statement that stores deliveries by which listeners hear them: a row for each hook
 * of a batch that someone listens to, in the transaction of the deliveries. Read from the table of
 * listeners rather than from a cache, so that a new listener misses nothing. The first condition skips
 * the rest while no account of the batch listens: the second alone costs half as much as all of the
 * statement (docs/decisions/database/110).
 */
export const hearAccepted = `, heard as (
      insert into listener_inbox (account_id, hook_id, delivery_ids)
      select account_id, hook_id, array_agg(id order by position) from evaluated
      where (select exists (select from listeners where account_id = any ((select account_ids from batch)::uuid[])))
        and outcome = 'accepted' and exists (
          select from listeners l where l.account_id = evaluated.account_id and (l.hook_ids = '{}' or evaluated.hook_id = any (l.hook_ids))
        )
      group by account_id, hook_id
    )`;
