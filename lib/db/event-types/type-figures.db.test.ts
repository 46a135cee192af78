import { beforeAll, expect, it } from "vitest";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { readTypeFigures } from "./type-figures.ts";

const { db } = withDatabase();
let accountId: string;

beforeAll(async () => {
  accountId = await addAccount(db);
});

it("counts each active subscription once, however many of its patterns match, and the account's events", async () => {
  await addSubscription(db, accountId, { eventTypes: ["*", "order.*", "order.paid"] });
  await addSubscription(db, accountId, { eventTypes: ["order.*"], recipient: "cust_1" });
  await addSubscription(db, accountId, { eventTypes: ["order.*"], recipient: "cust_2" });
  await addSubscription(db, accountId, { eventTypes: ["order.*"], status: "disabled" });
  const other = await addAccount(db);
  await addSubscription(db, other);
  await storeEvents(db, [
    newEvent(accountId, { type: "order.paid" }),
    newEvent(accountId, { type: "order.paid", recipient: "cust_1" }),
    newEvent(other, { type: "order.paid" }),
  ]);
  const hourAgo = Date.now() - 3_600_000;
  const types = ["order.paid", "user.created"];
  expect(await readTypeFigures(db, accountId, types, hourAgo)).toEqual(
    new Map([
      ["order.paid", { subscribers: 3, events: 2 }],
      ["user.created", { subscribers: 1, events: 0 }],
    ]),
  );
  const later = await readTypeFigures(db, accountId, ["order.paid"], Date.now() + 3_600_000);
  expect(later.get("order.paid")?.events).toBe(0);
});
