import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

type Fields = {
  readonly expiresAt?: Date;
  readonly role?: Role;
  readonly scopes?: readonly string[];
  readonly revokedAt?: Date;
};

const later = new Date(Date.now() + 3_600_000);
const past = new Date(Date.now() - 1_000);

/** Makes a subscription the callback of a new token. */
async function addCallback(receiverUrl: string, fields: Fields = {}) {
  const { expiresAt = later, role = "member", revokedAt = null } = fields;
  const { scopes = ["events:read", "callbacks:write"] } = fields;
  const accountId = await queue.addAccount();
  const subscription = await addSubscription(accountId, { receiverUrl });
  const userId = await addMember(queue.db, accountId, role);
  const tokenId = newId();
  const hash = { tokenHash: Buffer.from(tokenId), hint: "x" };
  await queue.db.apiToken.create({
    data: {
      ...{ id: tokenId, accountId, name: "t", createdBy: userId, scopes: [...scopes], revokedAt },
      ...hash,
    },
  });
  const callback = { callbackId: `sub_${tokenId}`, secretHash: Buffer.from("x") };
  await queue.db.eventCallback.create({
    data: { subscriptionId: subscription.id, accountId, tokenId, expiresAt, ...callback },
  });
  return { subscription, tokenId };
}

it("a callback gets the event as an occurrence, signed, under the event's id", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const { subscription, tokenId } = await addCallback(receiver.url);
  const { accountId } = subscription;
  const only = { accountId, standardWebhooksHeaders: false };
  await queue.db.senderSettings.create({ data: only });
  const event = await addEvent([subscription], { amount: 1, note: "Zoë" });
  notifyRunsDue(queue.db);
  for (const id of event.runIds) await untilFinished(id);
  const [call] = receiver.calls;
  expect(call?.headers).toMatchObject({
    "x-mcp-subscription-id": `sub_${tokenId}`,
    "webhook-id": event.id,
  });
  const headers = call?.headers as Record<string, string>;
  const body = new Webhook(subscription.secret).verify(call?.body ?? "", headers);
  expect(body).toMatchObject({ eventId: event.id, data: { amount: 1, note: "Zoë" } });
  expect(Object.keys(Object(body))).toEqual(["eventId", "name", "timestamp", "data"]);
});

it.each<[string, Fields]>([
  ["has expired", { expiresAt: past }],
  ["lost its token", { revokedAt: past }],
  ["lost its scope", { scopes: ["events:read"] }],
  ["may read no events", { scopes: ["callbacks:write"] }],
  ["is a viewer's now", { role: "viewer" }],
])("a callback that %s gets nothing", async (_, fields) => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const { subscription } = await addCallback(receiver.url, fields);
  const { runIds } = await addEvent([subscription], {});
  notifyRunsDue(queue.db);
  for (const id of runIds) await untilFinished(id);
  const [run] = await queue.db.$queryRaw<unknown[]>`
    select state, reason_code from runs where id = ${runIds[0]}::uuid`;
  expect(run).toEqual({ state: "cancelled", reason_code: "subscription_gone" });
  expect(receiver.calls).toEqual([]);
});
