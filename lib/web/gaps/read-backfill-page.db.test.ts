import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readBackfillPage } from "./read-backfill-page.ts";

const api = withApi();

it("a problem's link shows the newest search with something to take in, however many came since", async () => {
  const accountId = api.account.id;
  const context = testContext(api.db, accountId);
  const { id: hookId } = await api.createHook({ provider: "stripe", signingSecret: "whsec_0123" });
  const search = async (missing: number, status = "found") => {
    const id = newId();
    const at = new Date();
    const time = {
      askedFrom: at,
      fromAt: at,
      toAt: at,
      finishedAt: status === "asking" ? null : at,
    };
    const counts = { eventCount: 3, missingCount: missing };
    await api.db.gap.create({
      data: {
        ...{ id, accountId, hookId, provider: "stripe", status, askedBy: "the schedule" },
        ...{ ...time, ...counts },
      },
    });
    await api.db.gapEvent.createMany({
      data: Array.from({ length: missing }, () => ({
        ...{ gapId: id, key: newId(), state: "missing", eventType: "invoice.paid" },
        occurredAt: at,
      })),
    });
    return id;
  };
  const read = async (search?: string) => {
    const page = await readBackfillPage(context, hookId, search === undefined ? {} : { search });
    const { shown, isNewest, hasEarlierMissing, others } = page;
    return { id: shown?.id, isNewest, hasEarlierMissing, others: others.length };
  };

  expect(await read("missing")).toMatchObject({ hasEarlierMissing: false, others: 0 });
  await search(2);
  const missing = await search(1);
  for (let n = 0; n < 12; n += 1) await search(0);
  const newest = await search(0);

  expect(await read()).toEqual({
    ...{ id: newest, isNewest: true, hasEarlierMissing: true, others: 9 },
  });
  const found = { id: missing, isNewest: false, hasEarlierMissing: false };
  expect(await read("missing")).toMatchObject(found);
  expect(await read(missing)).toMatchObject(found);
  // An edited URL shows the newest.
  expect(await read("nothing")).toMatchObject({ id: newest, isNewest: true });
  expect(await read(newId())).toMatchObject({ id: newest });

  await api.db.gapEvent.updateMany({ data: { state: "taken" } });
  expect(await read("missing")).toMatchObject({ id: newest, hasEarlierMissing: false });
});
