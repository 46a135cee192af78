import { expect, it } from "vitest";
import { findActionsByName, readActionNames } from "#lib/db/actions/action-names.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { findHooksByName, readHookNames } from "./hook-names.ts";

const { db } = withDatabase();

it("a hook and its action are found by name and by id, however many newer ones there are", async () => {
  const old = await addHook(db, { name: "Legacy ERP" });
  const action = await addAction(db, old);
  const { accountId } = old;
  await db.$executeRaw`
    insert into hooks (id, account_id, key, name, provider, methods)
    select uuid_v7_at(now() + n * interval '1 second'), ${accountId}::uuid, 'many' || n, 'Hook ' || n, 'generic', '{POST}'
    from generate_series(1, 500) n`;
  const other = await addHook(db, { name: "Legacy ERP" });
  const of = (text: string) => ({ text, hookId: null, limit: 20 });

  expect([...(await readHookNames(db, accountId, [old.id, other.id]))]).toEqual([
    [old.id, "Legacy ERP"],
  ]);
  expect(await findHooksByName(db, accountId, "erp", 20)).toEqual([
    { id: old.id, name: "Legacy ERP" },
  ]);
  expect(await findHooksByName(db, accountId, "%", 20)).toEqual([]);
  expect(await findHooksByName(db, accountId, "", 20)).toHaveLength(20);
  const named = [{ id: action, name: "act", hookId: old.id, hookName: "Legacy ERP" }];
  expect(await readActionNames(db, accountId, [action])).toEqual(named);
  expect(await readActionNames(db, other.accountId, [action])).toEqual([]);
  for (const text of ["ACT", "legacy", ""])
    expect(await findActionsByName(db, accountId, of(text))).toEqual(named);
  expect(await findActionsByName(db, other.accountId, of(""))).toEqual([]);

  await db.hook.update({ where: { id: old.id }, data: { deletedAt: new Date() } });
  expect(await readHookNames(db, accountId, [old.id])).toEqual(new Map());
  expect(await readActionNames(db, accountId, [action])).toEqual([]);
});
