import { describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { disableSubscription } from "./subscription-status.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "./write-subscriptions.ts";

const { db } = withDatabase();

async function addOwner() {
  const id = newId();
  await db.account.create({ data: { id, slug: `a${id.slice(-12)}`, name: "a" } });
  return testContext(db, id);
}

const first = "https://same.example.com/in";
const sameReceivers: readonly [string, Parameters<typeof createSubscription>[1], boolean][] = [
  ["the same URL", { receiverUrl: first }, true],
  ["other event types", { receiverUrl: first, eventTypes: ["order.*"] }, true],
  ["a host in capitals", { receiverUrl: "https://SAME.example.com/in" }, true],
  ["the default port", { receiverUrl: "https://same.example.com:443/in" }, true],
  ["a dot segment", { receiverUrl: "https://same.example.com/a/../in" }, true],
  ["another query", { receiverUrl: `${first}?a=1` }, false],
  ["another path", { receiverUrl: `${first}/` }, false],
  ["another recipient", { receiverUrl: first, recipient: "cust_same" }, false],
];

describe("a second subscription to a receiver", () => {
  it.each(sameReceivers)("names the first one: %s", async (_, fields, isSame) => {
    const owner = await addOwner();
    const { subscription, firstId } = await createSubscription(owner, { receiverUrl: first });
    expect(firstId).toBeNull();
    const expected = isSame ? subscription.id : null;
    expect(await createSubscription(owner, fields)).toMatchObject({ firstId: expected });
  });

  it("doesn't name a deleted one", async () => {
    const owner = await addOwner();
    const { subscription } = await createSubscription(owner, { receiverUrl: first });
    await deleteSubscription(owner, { id: subscription.id });
    expect(await createSubscription(owner, { receiverUrl: first })).toMatchObject({
      firstId: null,
    });
  });

  it("doesn't name a disabled one", async () => {
    const owner = await addOwner();
    const { subscription } = await createSubscription(owner, { receiverUrl: first });
    await disableSubscription(owner, { id: subscription.id });
    expect(await createSubscription(owner, { receiverUrl: first })).toMatchObject({
      firstId: null,
    });
  });

  it.each(sameReceivers)("names the first one when it moves: %s", async (_, fields, isSame) => {
    const owner = await addOwner();
    const { subscription } = await createSubscription(owner, { receiverUrl: first });
    const { receiverUrl, ...others } = fields;
    const away = { ...others, receiverUrl: "https://away.example.com/" };
    const { id } = (await createSubscription(owner, away)).subscription;
    expect(await updateSubscription(owner, { id, receiverUrl })).toMatchObject({
      firstId: isSame ? subscription.id : null,
    });
    // Another change says nothing, and neither does its own URL.
    expect(await updateSubscription(owner, { id, receiverUrl, description: "x" })).toMatchObject({
      firstId: null,
    });
  });
});
