import { expect, it } from "vitest";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { listAccountEventTypes } from "./list-event-types.ts";

const { db } = withDatabase();

it("lists a type of each of 500 hooks, and no other account's", async () => {
  const { accountId } = await addHook(db);
  await addHooks(accountId, 500, "mine");
  const other = await addHook(db);
  await addHooks(other.accountId, 3, "others");
  const types = await listAccountEventTypes(db, accountId);
  expect(types).toHaveLength(500);
  expect(types.every((type) => type.startsWith("mine"))).toBe(true);
});

/** Adds hooks with one delivery each, of a type of its own, which the roll-up has counted. */
async function addHooks(accountId: string, count: number, type: string): Promise<void> {
  await db.$executeRaw`
    with made as (
      insert into hooks (id, account_id, key, name, provider, methods, updated_at)
      select uuid_v7_at(now()), ${accountId}::uuid, ${type} || n, 'n', 'generic', '{POST}', now()
      from generate_series(1, ${count}::int) n returning id, account_id, key
    ), delivered as (
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        event_type, verification_outcome, source_ip)
      select uuid_v7_at(now()), account_id, id, 'accepted', now(), 'POST', '', '', '[]', 0, '', key, 'verified', ''
      from made returning id, hook_id, account_id, status, received_at
    )
    insert into last_deliveries (hook_id, account_id, delivery_id, status, received_at)
    select hook_id, account_id, id, status, received_at from delivered`;
}
