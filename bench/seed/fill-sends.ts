import type { Client } from "pg";

/** The customer whose sends failed. */
export const failingRecipient = "cust_seed";

/**
 * One subscription of a customer, and events of the last two days. All of their sends failed, so that
 * pages of the sending half have as much to group as those of hooks.
 */
export async function fillSends(client: Client, account: string, count: number): Promise<void> {
  await client.query(
    `with account as (
      select id from accounts where slug = $1
    ), customer as (
      insert into recipients (account_id, id, name) select id, $2, 'A failing customer' from account
    ), subscription as (
      insert into subscriptions (id, account_id, recipient, receiver_url, event_types)
      select gen_random_uuid(), id, $2, 'https://example.com/', '{*}' from account returning id, account_id
    ), series as materialized (
      select n, uuid_v7_at(at) as event_id, at
      from generate_series(1, $3::int) n, lateral (select now() - n * interval '2 days' / $3::int as at) times
    ), published as (
      insert into events (id, account_id, public_id, type, recipient, body)
      select event_id, subscription.account_id, 'evt_sent_' || n, 'invoice.paid', $2,
        convert_to(format('{"id":"evt_sent_%s","type":"invoice.paid","data":{"amount":%s}}', n, n), 'utf8')
      from series, subscription
    )
    insert into runs (id, account_id, target_id, event_id, state, reason_code, reason_detail, attempt_count,
      finished_at, started_at, duration_ms, request, response)
    select run_id(event_id, 0), subscription.account_id, subscription.id, event_id, 'failed', 'attempts_exhausted',
      'The receiver responded with 503', 12, at, at, 40,
      '{"method":"POST","url":"https://example.com/","headers":[],"body":null,"bodyTruncated":false}',
      '{"status":503,"headers":[],"body":"","truncated":false}'
    from series, subscription`,
    [account, failingRecipient, count],
  );
}
