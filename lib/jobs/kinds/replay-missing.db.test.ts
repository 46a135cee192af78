import { expect, it } from "vitest";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { replayMissing } from "#lib/services/subscriptions/recover.ts";
import { enableSubscription } from "#lib/services/subscriptions/subscription-status.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll } from "../testing/work.ts";
import { replayMissingJob } from "./replay-missing.ts";

const { db } = withDatabase();

it("sends an event whose publisher still saw the subscription as disabled, once it is stored", async () => {
  const accountId = await addAccount(db);
  const id = await addSubscription(db, accountId, { status: "disabled" });
  const [missed, inFlight] = [newEvent(accountId), newEvent(accountId)];
  await storeEvents(db, [missed]);
  await db.$transaction(async (publisher) => {
    await storeEvents(publisher, [inFlight]);
    const context = testContext(db, accountId);
    await enableSubscription(context, { id });
    await replayMissing(context, { id, since: new Date(0).toISOString() });
    await workAll(replayMissingJob(db));
  });
  const sendAll = async () => {
    await workAll(replayMissingJob(db));
    const runs = await db.queuedRun.findMany({ where: { targetId: id } });
    return runs.map(({ eventId }) => eventId).sort();
  };
  await expect.poll(sendAll).toEqual([missed.id, inFlight.id].sort());
});
