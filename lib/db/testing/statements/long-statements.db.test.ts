import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { claimRuns } from "#lib/db/queue/claim/claim-runs.ts";
import { finishRuns } from "#lib/db/queue/finish-runs.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { recordTexts } from "./record-texts.ts";

/** The four statements that are woven from many fragments, each in one piece to read. */
const { db, url } = withDatabase();
let sql: SqlDatabase;
beforeAll(() => {
  sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
});
afterAll(() => sql.$disconnect());

/** The longest statement that `run` executes, without empty lines. */
async function longest(run: (db: SqlDatabase) => Promise<unknown>): Promise<string> {
  const { db, texts } = recordTexts(sql);
  await run(db);
  const [text = ""] = texts.toSorted((a, b) => b.length - a.length);
  return `${text.replace(/^\s*\n/gm, "").trimEnd()}\n`;
}

const slots = { freeSlots: 1, freeBytes: 1_000_000, actionCap: 1, accountCap: 1 };

it("stores deliveries", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  const text = await longest((db) => storeDeliveries(db, [newDelivery(hook)]));
  await expect(text).toMatchFileSnapshot("long/store-deliveries.sql");
});

it("claims and finishes runs", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  await storeDeliveries(sql, [newDelivery(hook)]);
  const claimed: Awaited<ReturnType<typeof claimRuns>>[] = [];
  const claim = await longest(async (db) => {
    claimed.push(await claimRuns(db, { ...slots, leaseId: newId(), leaseMs: 30_000, workerId: 1 }));
  });
  await expect(claim).toMatchFileSnapshot("long/claim-runs.sql");
  const [run] = claimed[0]?.runs ?? [];
  if (run === undefined) throw new Error("Nothing was claimed");
  const texts = { requestJson: "{}", responseJson: "{}", errorCode: null, errorMessage: null };
  const attempt = { id: newId(), number: 1, startedAtMs: Date.now(), durationMs: 1, ...texts };
  const next = { state: "succeeded", reason: null } as const;
  const finish = await longest((db) =>
    finishRuns(db, [{ ...run, attemptCount: 1, next, attempt }]),
  );
  await expect(finish).toMatchFileSnapshot("long/finish-runs.sql");
});

it("stores events", async () => {
  const account = await addAccount(db);
  await addSubscription(db, account);
  const text = await longest((db) => storeEvents(db, [newEvent(account)]));
  await expect(text).toMatchFileSnapshot("long/store-events.sql");
});
