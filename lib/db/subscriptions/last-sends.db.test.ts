import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addRun, endRuns } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { readLastSends } from "./last-sends.ts";

const { db } = withDatabase({ poolSize: 4 });

test("the newest send of each subscription is found, open or ended, and never another account's", async () => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const add = (accountId = account) => addSubscription(db, accountId);
  const [open, ended, silent] = [await add(), await add(), await add()];
  const [foreignOpen, foreignEnded] = [await add(other), await add(other)];
  const send = (targetId: string, accountId = account) =>
    addRun(db, { accountId, targetId, state: "queued" });
  await endRuns(db, [await send(open), await send(foreignEnded, other)]);
  const newest = await send(open);
  await send(ended);
  const last = await send(ended);
  await endRuns(db, [last]);
  const foreign = await send(foreignOpen, other);
  const all = [open, ended, silent, foreignOpen, foreignEnded, newId()];
  const sends = await readLastSends(db, account, all);
  expect([...sends].map(([id, run]) => [id, run.id, run.status]).toSorted()).toEqual(
    [
      [open, newest, "queued"],
      [ended, last, "failed"],
    ].toSorted(),
  );
  const others = await readLastSends(db, other, all);
  expect(others.get(foreignOpen)?.id).toBe(foreign);
  expect([...others.keys()].toSorted()).toEqual([foreignOpen, foreignEnded].toSorted());
  expect(await readLastSends(db, account, [])).toEqual(new Map());
});
