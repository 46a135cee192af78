import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { countHookContents } from "./hook-contents.ts";

const { db } = withDatabase();
const accountId = newId();
const sealer = openSealer("a secret key for tests, long enough");

beforeAll(async () => {
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
});

async function makeHook(): Promise<string> {
  const input = {
    name: "Orders",
    provider: "github",
    signingSecret: "secret",
  };
  const { hook } = await createHook(testContext(db, accountId, { sealer }), input);
  await db.action.create({ data: { id: newId(), accountId, hookId: hook.id, ...action } });
  return hook.id;
}

const action = { name: "Call", position: 0, request: {}, timeoutMs: 1_000, retry: {} };

async function fill(hookId: string, deliveries: number, openRuns: number): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    select gen_random_uuid(), ${accountId}::uuid, ${hookId}::uuid, 'accepted', now(), 'POST', '', '', '[]', 0, '', 'verified', '::1'
    from generate_series(1, ${deliveries}::int)`;
  await db.$executeRaw`
    insert into queue (id, account_id, target_id, hook_id, due_at)
    select gen_random_uuid(), ${accountId}::uuid, actions.id, ${hookId}::uuid, now()
    from actions cross join generate_series(1, ${openRuns}::int) where hook_id = ${hookId}::uuid`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, state, finished_at)
    select gen_random_uuid(), ${accountId}::uuid, actions.id, ${hookId}::uuid, 'succeeded', now()
    from actions cross join generate_series(1, 2) where hook_id = ${hookId}::uuid`;
}

it("counts what is deleted with a hook, of this hook only, and runs that have not ended", async () => {
  const hookId = await makeHook();
  await fill(hookId, 3, 2);
  await fill(await makeHook(), 7, 5);
  expect(await countHookContents(db, accountId, hookId)).toEqual({
    deliveries: { count: 3, isMore: false },
    actions: 1,
    secrets: 1,
    openRuns: { count: 2, isMore: false },
    registeredAt: null,
  });
});

it("stops counting at the limit", async () => {
  const hookId = await makeHook();
  await fill(hookId, 10_001, 1);
  const { deliveries } = await countHookContents(db, accountId, hookId);
  expect(deliveries).toEqual({ count: 10_000, isMore: true });
});

it("returns nothing to another account", async () => {
  const hookId = await makeHook();
  await fill(hookId, 1, 1);
  const { deliveries, actions, secrets, openRuns } = await countHookContents(db, newId(), hookId);
  expect([deliveries.count, actions, secrets, openRuns.count]).toEqual([0, 0, 0, 0]);
});
