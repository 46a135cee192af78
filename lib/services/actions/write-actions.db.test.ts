import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { orderActions } from "./write-actions.ts";

const { db } = withDatabase();
const accountId = newId();
const sealer = openSealer("a secret key for tests, long enough");

beforeAll(async () => {
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
});

async function makeHook(names: readonly string[]): Promise<{ hookId: string; ids: string[] }> {
  const { hook } = await createHook(testContext(db, accountId, { sealer }), { name: "Orders" });
  const ids = names.map(() => newId());
  await db.action.createMany({
    data: names.map((name, position) => ({
      ...{ id: ids[position] ?? newId(), accountId, hookId: hook.id, name, position },
      ...{ request: {}, timeoutMs: 1_000, retry: {} },
    })),
  });
  return { hookId: hook.id, ids };
}

const order = (account: string, id: string, actionIds: readonly string[]) =>
  orderActions(testContext(db, account, { sealer }), { id, actionIds: [...actionIds] });

async function namesInOrder(hookId: string): Promise<readonly string[]> {
  const rows = await db.action.findMany({
    where: { hookId, deletedAt: null },
    orderBy: { position: "asc" },
  });
  return rows.map(({ name }) => name);
}

it("puts actions into the requested order, followed by those that are not named", async () => {
  const { hookId, ids } = await makeHook(["a", "b", "c", "d"]);
  await order(accountId, hookId, [ids[2] ?? "", ids[0] ?? ""]);
  expect(await namesInOrder(hookId)).toEqual(["c", "a", "b", "d"]);
});

it("moves no action of another hook or account", async () => {
  const mine = await makeHook(["a", "b"]);
  const other = await makeHook(["x", "y"]);
  await order(accountId, mine.hookId, [...other.ids].reverse());
  expect(await namesInOrder(other.hookId)).toEqual(["x", "y"]);
  await expect(order(newId(), mine.hookId, mine.ids)).rejects.toMatchObject({
    code: "not_found",
  });
});
