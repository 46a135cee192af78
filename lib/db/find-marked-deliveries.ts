import type { Database } from "./client.ts";
import { idFloor } from "./page.ts";

export type MarkedDelivery = { readonly id: string; readonly status: string; readonly reason: string | null };

/**
 * The deliveries of a hook that carry `mark` in a header, in the order in which they came in: by it a request is found
 * again whatever its sender was answered. The mark has to be random.
 */
export async function findMarkedDeliveries(
  db: Database,
  accountId: string,
  { hookId, mark, sinceMs }: { readonly hookId: string; readonly mark: string; readonly sinceMs: number },
): Promise<readonly MarkedDelivery[]> {
  return db.$queryRaw<MarkedDelivery[]>`
    select id, status, reason from deliveries
    where account_id = ${accountId}::uuid and hook_id = ${hookId}::uuid
      and id >= ${idFloor(sinceMs)}::uuid and position(${mark} in headers::text) > 0
    order by id limit 100`;
}
