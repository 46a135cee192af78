import { newId } from "#lib/base/ids.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { HookInput } from "#lib/schema/receive/hook.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { testSealer } from "./test-sealer.ts";

export type TestHook = HookRecord & { readonly path: string };

/**
 * A hook of a new account. `path` is the path of its catch URL. Without a provider, the body's `id`
 * identifies an event, so that a test sends no more than it needs. `dedupe: undefined`: by default.
 */
export async function addHook(
  db: Database,
  input: Partial<Record<keyof HookInput, unknown>> = {},
  sealer: Sealer = testSealer,
): Promise<TestHook> {
  const slug = `a${newId().slice(-12)}`;
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug, name: slug } });
  const isKnown = input.provider !== undefined && input.provider !== "custom";
  const dedupe = isKnown ? {} : { dedupe: { from: "body", path: "id" } };
  const given = { name: "h", ...dedupe, ...input } as HookInput;
  const { hook } = await createHook(testContext(db, accountId, { sealer }), given);
  return { ...hook, path: `/catch/${slug}/${hook.path ?? hook.key}` };
}

/** An action that nothing executes: the tests only look at its runs. */
export async function addAction(db: Database, hook: HookRecord): Promise<string> {
  const id = newId();
  await db.action.create({
    data: {
      id,
      accountId: hook.accountId,
      hookId: hook.id,
      name: "act",
      request: {},
      timeoutMs: 1_000,
    },
  });
  return id;
}

/** The hook's deliveries, oldest first. */
export function readDeliveries(db: Database, { id }: HookRecord) {
  return db.delivery.findMany({ where: { hookId: id }, orderBy: { id: "asc" } });
}
