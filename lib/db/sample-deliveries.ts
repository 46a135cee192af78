import type { Database } from "./client.ts";

export type DeliverySample = {
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  /** Empty where it is larger than what was asked for. */
  readonly body: Uint8Array;
};

/** The newest deliveries that a hook has taken, to look at who sends them. Bodies over `maxBodyBytes` are left out. */
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
