import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { dismissNotice, listNotices } from "./notices.ts";
import { forgetFailures, markDisabled } from "./subscription-status.ts";

const { db } = withDatabase({ poolSize: 4 });

async function addNotice(accountId: string, subscriptionId: string, detail: string) {
  const id = newId();
  await db.notice.create({
    data: { id, accountId, kind: "subscription_failing", subscriptionId, detail },
  });
  return id;
}

test("notices are the account's own, newest first, until they are dismissed or their subscription is gone", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const [target, deleted, foreign] = [
    await addSubscription(db, account),
    await addSubscription(db, account, { deletedAt: new Date() }),
    await addSubscription(db, other),
  ];
  const first = await addNotice(account, target, "first");
  const second = await addNotice(account, target, "second");
  await addNotice(account, deleted, "gone");
  const others = await addNotice(other, foreign, "foreign");
  const list = async (accountId = account, limit = 10) =>
    (await listNotices(db, accountId, limit)).map(({ detail }) => detail);
  expect(await list()).toEqual(["second", "first"]);
  expect(await list(account, 1)).toEqual(["second"]);
  expect(await list(other)).toEqual(["foreign"]);

  for (const id of [others, newId(), "x"])
    await expect(dismissNotice(db, account, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await list(other)).toEqual(["foreign"]);
  await dismissNotice(db, account, second);
  await dismissNotice(db, account, second);
  expect(await list()).toEqual(["first"]);
  await dismissNotice(db, account, first);
  expect(await list()).toEqual([]);
});

test("notices end with the receiver URL that they are about, or once another one says more", async () => {
  const account = await addAccount(db);
  const target = await addSubscription(db, account);
  const add = async () => {
    await addNotice(account, target, "will be disabled");
    const row = { id: newId(), accountId: account, subscriptionId: target };
    const data = { ...row, kind: "subscription_disabled", detail: "disabled" };
    await db.notice.create({ data });
  };
  const list = async () => (await listNotices(db, account, 10)).map(({ detail }) => detail);
  await add();
  await db.$transaction((tx) => markDisabled(tx, target));
  expect(await list()).toEqual(["disabled"]);
  await db.$transaction((tx) => forgetFailures(tx, target, "disabled"));
  expect(await list()).toEqual(["disabled"]);
  for (const status of ["pending", "active"] as const) {
    await add();
    await db.$transaction((tx) => forgetFailures(tx, target, status));
    expect(await list()).toEqual([]);
  }
});
