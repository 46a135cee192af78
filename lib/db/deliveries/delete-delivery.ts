import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { AppError } from "#lib/errors.ts";

/**
 * Permanently deletes a delivery with its runs and their attempts. Its dedupe key stays: if the
 * same event is sent again, it is still a duplicate and runs nothing. Throws `not_found`, and
 * `conflict` while one of its calls is in flight.
 */
export async function deleteDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<void> {
  const id = requireId("delivery", deliveryId);
  await db.$transaction(async (tx) => {
    const found = await tx.$queryRaw`
      select d.id from deliveries d
      join hooks h on h.id = d.hook_id and h.deleted_at is null
      where d.id = ${id}::uuid and d.account_id = ${accountId}::uuid for update of d`;
    if (!Array.isArray(found) || found.length === 0) throw notFound("delivery");
    // Locked, so that no worker claims one of them meanwhile.
    const runs = await tx.$queryRaw<{ id: string; isLeased: boolean }[]>`
      select id, lease_id is not null as "isLeased" from runs
      where delivery_id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
    if (runs.some(({ isLeased }) => isLeased))
      throw new AppError(
        "conflict",
        "A call of this delivery is in progress. Wait for it to end, or cancel the run first.",
      );
    const runIds = runs.map((run) => run.id);
    await tx.$executeRaw`delete from attempts where run_id = any (${runIds}::uuid[])`;
    await tx.$executeRaw`delete from runs where id = any (${runIds}::uuid[])`;
    await tx.$executeRaw`delete from deliveries where id = ${id}::uuid`;
    await recountHours(tx, [id, ...runIds]);
  });
}
