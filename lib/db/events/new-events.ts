import type { Database } from "#lib/db/postgres/client.ts";
import { readSince, type Since, type Span } from "#lib/db/postgres/read-since.ts";

type Wanted = Span & {
  readonly type: string | null;
  /** Null: without a recipient. Undefined: of any recipient, or none. */
  readonly recipient?: string | null | undefined;
};

/** The events of an account that were published since a cursor. Those made to try a subscription are none. */
export async function readNewEvents(
  db: Database,
  accountId: string,
  { type, recipient, ...span }: Wanted,
  nowMs: number,
): Promise<Since> {
  return await readSince(
    db,
    span,
    nowMs,
    (isNew, limit) => db.$queryRaw<{ id: string }[]>`
      select t.id from events t
      where t.account_id = ${accountId}::uuid and ${isNew} and t.public_id <> 'test_' || t.id::text
        and (${type}::text is null or t.type = ${type}::text)
        and (${recipient === undefined}::bool or t.recipient is not distinct from ${recipient ?? null}::text)
      order by t.id limit ${limit}::int`,
  );
}
