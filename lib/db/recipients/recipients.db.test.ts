import { beforeAll, expect, it } from "vitest";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ensureRecipient } from "./ensure-recipient.ts";
import { countFailing, listRecipients, lockRecipient, removeRecipient } from "./recipients.ts";

const { db } = withDatabase();
let accountId: string;
const inOrder = [
  "cust_2",
  "cust_10",
  "cust_010",
  "cust_10a",
  "cust_12345678901234567890123",
  "eu-9:2",
];

beforeAll(async () => {
  accountId = await addAccount(db);
  const data = inOrder.toReversed().map((id) => ({ accountId, id }));
  await db.recipient.createMany({ data });
});

async function readAll(limit: number, q?: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRecipients(db, accountId, { q }, { limit, cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

it.each([1, 2, 100])(
  "recipients are listed with numbers in their order, %i a page",
  async (limit) => {
    const ids = await readAll(limit);
    // Two ways to write one number are next to each other.
    expect(ids.map((id) => id.replace("_010", "_10"))).toEqual(
      inOrder.map((id) => id.replace("_010", "_10")),
    );
    expect(new Set(ids)).toEqual(new Set(inOrder));
    expect(await readAll(limit, "CUST_10")).toEqual(ids.filter((id) => id.startsWith("cust_10")));
  },
);

it("counts the failing subscriptions of a recipient, but not those that are off or deleted", async () => {
  const of = { recipient: "cust_2" };
  const failing = [
    await addSubscription(db, accountId, of),
    await addSubscription(db, accountId, { ...of, status: "disabled" }),
    await addSubscription(db, accountId, { ...of, deletedAt: new Date() }),
  ];
  await addSubscription(db, accountId, { recipient: "cust_10" });
  const failingSince = new Date();
  const data = failing.map((subscriptionId) => ({ accountId, subscriptionId, failingSince }));
  await db.subscriptionHealth.createMany({ data });
  expect(await countFailing(db, accountId, inOrder)).toEqual(new Map([["cust_2", 1]]));
});

it("a recipient that is deleted while something refers to it exists afterwards", async () => {
  let hasReferred = false;
  let referring: Promise<void> | undefined;
  await db.$transaction(async (tx) => {
    await lockRecipient(tx, accountId, "cust_10a");
    referring = ensureRecipient(db, accountId, "cust_10a").then(() => {
      hasReferred = true;
    });
    await expect.poll(async () => hasReferred || (await countWaiting(db)) > 0).toBe(true);
    await removeRecipient(tx, accountId, "cust_10a");
  });
  await referring;
  expect(await db.recipient.count({ where: { accountId, id: "cust_10a" } })).toBe(1);
});
