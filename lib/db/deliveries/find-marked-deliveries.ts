import { idFloor } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";

type MarkedDelivery = {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
};

/**
 * The deliveries of a hook that carry `mark` in a header, oldest first. This finds a request
 * regardless of its response. The mark has to be random.
 */
export async function findMarkedDeliveries(
  db: Database,
  accountId: string,
  {
    hookId,
    mark,
    sinceMs,
  }: { readonly hookId: string; readonly mark: string; readonly sinceMs: number },
): Promise<readonly MarkedDelivery[]> {
  return db.$queryRaw<MarkedDelivery[]>`
    select id, status, reason from deliveries
    where account_id = ${accountId}::uuid and hook_id = ${hookId}::uuid
      and id >= ${idFloor(sinceMs)}::uuid and position(${mark} in headers::text) > 0
    order by id limit 100`;
}
