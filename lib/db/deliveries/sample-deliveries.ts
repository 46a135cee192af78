import type { Database } from "#lib/db/postgres/client.ts";

export type DeliverySample = {
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  /** Empty if larger than `maxBodyBytes`. */
  readonly body: Uint8Array;
};

/**
 * The newest accepted deliveries of a hook, to see who sends them. Omits bodies over
 * `maxBodyBytes`.
 */
export async function sampleDeliveries(
  db: Database,
  accountId: string,
  hookId: string,
  { count, maxBodyBytes }: { readonly count: number; readonly maxBodyBytes: number },
): Promise<readonly DeliverySample[]> {
  const rows = await db.$queryRaw<{ headers: string; body: Uint8Array }[]>`
    select headers::text as headers, case when body_size <= ${maxBodyBytes}::int then body else ''::bytea end as body
    from deliveries
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and status = 'accepted'
    order by id desc limit ${count}::int`;
  return rows.map(({ headers, body }) => ({ headersJson: headers, body }));
}
