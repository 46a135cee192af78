import { expect, it, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { openProblem } from "#lib/db/problems/record-problems.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { readPaletteCounts } from "#lib/web/search/read-search.ts";
import { addReaders } from "#lib/web/testing/add-readers.ts";
import { openPage } from "#lib/web/testing/dashboard-pages.ts";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

it("every page shows the same number of failed runs", async () => {
  // Components that aren't run complain.
  vi.spyOn(console, "error").mockImplementation(() => {});
  setBrowserToken((await addReaders(api)).cookies.viewer);
  const accountId = api.account.id;
  const hook = await api.createHook();
  const actionId = await api.createAction(hook.id);
  const subscriptionId = await addSubscription(api.db, accountId);
  const add = async (count: number, fields: object) => {
    for (let n = 0; n < count; n += 1)
      await addRun(api.db, { accountId, state: "failed", ...fields } as never);
  };
  const ofAction = { targetId: actionId, hookId: hook.id };
  await add(1, { ...ofAction, id: idFloor(Date.now() - 8 * 86_400_000), reasonCode: "gone" });
  await add(7, { ...ofAction, reasonCode: "not_retried" });
  await add(4, { ...ofAction, reasonCode: "mapping_failed" });
  await add(2, { targetId: subscriptionId, hookId: null, reasonCode: "gone" });
  await add(3, { ...ofAction, state: "succeeded" });
  const open = (kind: "action_failing" | "subscription_failing", cause: string, of: object) =>
    openProblem(api.db, {
      ...{ accountId, kind, key: newId(), reason: cause, at: new Date(), ...of },
      details: { kind, message: null },
    });
  await open("action_failing", "status_404", { hookId: hook.id, actionId });
  await open("action_failing", "mapping_failed", { hookId: hook.id, actionId });
  await open("subscription_failing", "status_410", { subscriptionId });

  /** The numbers before "failed" on a page, each once. */
  const numbers = async (path: string, query: Record<string, string> = {}) => {
    const text = await openPage(`app/(dashboard)/${path}page.tsx`, {}, query);
    return [...new Set(text.match(/\d+(?= failed)/g))].map(Number);
  };
  // All, and those of the subscription and the action, whose problems are in this order.
  expect(await numbers("")).toEqual([13, 2, 11]);
  expect(await numbers("problems/")).toEqual([13, 2, 11]);
  // All, and by action and reason.
  expect(await numbers("problems/failures/")).toEqual([13, 7, 4, 2]);
  expect(await numbers("runs/", { status: "failed" })).toEqual([13]);
  const ofList = { status: "failed", since: "7d" };
  expect(await numbers("runs/", ofList)).toEqual([13]);
  expect(await numbers("runs/", { ...ofList, actionId })).toEqual([11]);
  expect(await numbers("runs/", { ...ofList, subscriptionId })).toEqual([2]);
  const { failedRuns } = await readPaletteCounts(testContext(api.db, accountId));
  expect(failedRuns).toEqual({ count: 13, isMore: false });
});
