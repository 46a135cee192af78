import { firstId, lastId } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { selectByHook } from "./select-delivery-ids.ts";

type DeliverySample = {
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  /** The body, or an empty one if it is larger than `maxBodyBytes`. */
  readonly body: Uint8Array;
};

/**
 * Reads the newest accepted deliveries of a hook, to find out who sends them. Bodies over
 * `maxBodyBytes` are omitted.
 */
export async function sampleDeliveries(
  db: Database,
  accountId: string,
  hookId: string,
  { count, maxBodyBytes }: { readonly count: number; readonly maxBodyBytes: number },
): Promise<readonly DeliverySample[]> {
  const newest = selectByHook({
    accountId,
    filter: { hookId, status: "accepted" },
    hooks: { live: [hookId], deleted: [] },
    span: { first: firstId, end: lastId },
    limit: count,
  });
  const rows = await db.$queryRaw<{ headers: string; body: Uint8Array }[]>`
    select headers::text as headers, case when body_size <= ${maxBodyBytes}::int then body else ''::bytea end as body
    from (${newest}) newest
    cross join lateral (select * from deliveries where id = newest.id limit 1) delivery
    where account_id = ${accountId}::uuid
    order by delivery.id desc`;
  return rows.map(({ headers, body }) => ({ headersJson: headers, body }));
}
