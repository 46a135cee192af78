import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { deleteAccount } from "#lib/services/account/accounts.ts";
import {
  deleteAuditReceiver,
  getAuditReceiver,
  listAuditEntries,
  putAuditReceiver,
  rotateAuditReceiverSecret,
} from "#lib/services/audit-log.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type Receiver, startReceiver } from "#lib/worker/testing/receiver.ts";
import { sweepAuditJob } from "../kinds/audit.ts";
import { takeTurn } from "../run-jobs.ts";
import { sendAuditJob } from "./send-audit.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => db.auditReceiver.deleteMany({}));

const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };

async function addAccount() {
  const { accountId } = await queue.addActionQueue();
  const context = testContext(db, accountId, { variables });
  const addEntry = (event = "hook.updated", now = () => new Date()) =>
    auditWithoutChange({ ...context, now }, { event, targets: [{ type: "hook", id: "h" }] });
  return { accountId, context, addEntry };
}

/** A worker's turn, until nothing is due. */
async function send(): Promise<void> {
  const client = createHttpClient({ allow: testContext(db, "", { variables }).env.egressAllow });
  onTestFinished(() => client.close());
  const job = sendAuditJob({ db, sealer: testSealer, client, version: "1" });
  await takeTurn({ jobs: [job] }, 0, new AbortController().signal);
}

/** The wait until the next try is over. */
const passTime = () => db.$executeRaw`update audit_receivers set due_at = now()`;

const readProblem = (accountId: string) =>
  db.problem.findFirstOrThrow({ where: { accountId, key: "audit" }, orderBy: { id: "desc" } });

const bodies = ({ calls }: Receiver) => calls.map(({ body }) => JSON.parse(body));
const events = (receiver: Receiver) => bodies(receiver).map(({ data }) => data.event);

it("a receiver gets its own change first, then every entry, each with its head", async () => {
  await using own = await startReceiver();
  const { accountId, context, addEntry } = await addAccount();
  await addEntry("hook.created");
  const { receiver, secret } = await putAuditReceiver(context, { receiverUrl: own.url });
  expect(receiver).toMatchObject({ sentSeq: 1, waiting: 1, sentAt: null, failure: null });
  await addEntry();
  await send();
  expect(bodies(own).map(({ data }) => data.seq)).toEqual([2, 3]);
  expect(events(own)).toEqual(["audit.receiver.created", "hook.updated"]);
  const { mac } = await db.auditEntry.findFirstOrThrow({ where: { accountId, seq: 3 } });
  const head = `${accountId}:3:${Buffer.from(mac).toString("hex")}`;
  expect(bodies(own)[1].data.head).toBe(head);
  const webhook = new Webhook(secret ?? "");
  for (const { body, headers } of own.calls)
    webhook.verify(body, headers as Record<string, string>);
  const after = await getAuditReceiver(context, {});
  expect(after).toMatchObject({ sentSeq: 3, waiting: 0, sentAt: expect.any(Date) });
});

it("an entry that fails holds up the ones after it, is tried again, and says why", async () => {
  let status = 503;
  await using own = await startReceiver((response) => response.writeHead(status).end());
  const { accountId, context, addEntry } = await addAccount();
  await putAuditReceiver(context, { receiverUrl: own.url });
  await addEntry();
  await send();
  // Not even a response that is final for other calls ends it.
  for (status of [410, 400]) {
    await passTime();
    await send();
  }
  const { failure, waiting } = await getAuditReceiver(context, {});
  expect(await readProblem(accountId)).toMatchObject({
    ...{ state: "open", count: 3n, kind: "audit_failing" },
    details: { host: `127.0.0.1:${own.port}`, message: "The receiver responded with 400." },
  });
  expect(failure).toMatchObject({ message: "The receiver responded with 400.", attempts: 3 });
  expect(failure?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
  expect(waiting).toBe(2);
  expect(new Set(own.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

  status = 200;
  await passTime();
  await send();
  const last = own.calls.slice(-2);
  expect(last.map(({ body }) => JSON.parse(body).data.seq)).toEqual([1, 2]);
  expect(await getAuditReceiver(context, {})).toMatchObject({ failure: null, waiting: 0 });
  const after = { state: "resolved", resolution: "recovered" };
  expect(await readProblem(accountId)).toMatchObject(after);
});

it("a receiver is tried at least every hour, whatever it asks for", async () => {
  await using own = await startReceiver((response) =>
    response.writeHead(503, { "retry-after": "86400" }).end(),
  );
  const { context } = await addAccount();
  await putAuditReceiver(context, { receiverUrl: own.url });
  await send();
  const { failure } = await getAuditReceiver(context, {});
  expect(failure?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  expect(failure?.nextAttemptAt.getTime()).toBeLessThan(Date.now() + 3_601_000);
});

it("saving tries at once, at a new URL, from a given number, and with a new secret", async () => {
  await using broken = await startReceiver((response) => response.writeHead(500).end());
  await using own = await startReceiver();
  const { context, addEntry } = await addAccount();
  await addEntry("hook.created");
  await putAuditReceiver(context, { receiverUrl: broken.url });
  await send();
  const moved = await putAuditReceiver(context, { receiverUrl: own.url });
  expect([moved.secret, moved.receiver.failure]).toEqual([null, null]);
  await send();
  expect(events(own)).toEqual(["audit.receiver.created", "audit.receiver.updated"]);
  await expect(
    putAuditReceiver(context, { receiverUrl: own.url, afterSeq: 4 }),
  ).rejects.toMatchObject({ code: "invalid_request" });
  await putAuditReceiver(context, { receiverUrl: own.url, afterSeq: 0 });
  const { secret } = await rotateAuditReceiverSecret(context, {});
  await send();
  const again = own.calls.slice(2);
  const webhook = new Webhook(secret ?? "");
  expect(
    again.map(({ body, headers }) => {
      webhook.verify(body, headers as Record<string, string>);
      return JSON.parse(body).data.seq;
    }),
  ).toEqual([1, 2, 3, 4, 5]);
  expect(again[1]?.headers["webhook-id"]).toBe(own.calls[0]?.headers["webhook-id"]);

  await deleteAuditReceiver(context, {});
  await addEntry();
  await send();
  expect(own.calls).toHaveLength(7);
  const changes = await listAuditEntries(context, { event: "audit.receiver" });
  expect(changes.items.map(({ event }) => event)).toEqual([
    "audit.receiver.deleted",
    "audit.receiver.secret.rotated",
    "audit.receiver.updated",
    "audit.receiver.updated",
    "audit.receiver.created",
  ]);
  expect(JSON.stringify(changes.items)).not.toContain("/in");
});

it("a new receiver of a lease that is still held gets the entry again, and the old result counts for nothing", async () => {
  let release = () => {};
  await using slow = await startReceiver((response) => {
    release = () => void response.end("ok");
  });
  await using own = await startReceiver();
  const { context } = await addAccount();
  await putAuditReceiver(context, { receiverUrl: slow.url });
  const sending = send();
  await expect.poll(() => slow.calls.length).toBe(1);
  await putAuditReceiver(context, { receiverUrl: own.url });
  release();
  await sending;
  await send();
  expect(events(own)).toEqual(["audit.receiver.created", "audit.receiver.updated"]);
});

it("a receiver that takes its time doesn't keep others waiting", async () => {
  let release = () => {};
  await using slow = await startReceiver((response) => {
    release = () => void response.end("ok");
  });
  await using own = await startReceiver();
  const [{ context: slowly }, { context, addEntry }] = [await addAccount(), await addAccount()];
  await putAuditReceiver(slowly, { receiverUrl: slow.url });
  await putAuditReceiver(context, { receiverUrl: own.url });
  await addEntry();
  await addEntry();
  const sending = send();
  await expect.poll(() => own.calls.length).toBe(3);
  // It hasn't given up on the other one.
  expect(await getAuditReceiver(slowly, {})).toMatchObject({ failure: null, waiting: 1 });
  release();
  await sending;
});

it("the receiver of a deleted account gets the entry that deleted it", async () => {
  await using own = await startReceiver();
  await addAccount();
  const { accountId: id, context } = await addAccount();
  await putAuditReceiver(context, { receiverUrl: own.url });
  const { name } = await db.account.findUniqueOrThrow({ where: { id } });
  await deleteAccount(context, { id, name });
  await send();
  expect(events(own)).toEqual(["audit.receiver.created", "account.deleted"]);
});

it("retention keeps what a receiver hasn't accepted yet", async () => {
  let status = 500;
  await using own = await startReceiver((response) => response.writeHead(status).end());
  const { accountId, context, addEntry } = await addAccount();
  const longAgo = () => new Date("2026-01-01T00:00:00Z");
  for (let count = 0; count < 3; count += 1) await addEntry("hook.updated", longAgo);
  await putAuditReceiver({ ...context, now: longAgo }, { receiverUrl: own.url, afterSeq: 1 });
  const sweep = sweepAuditJob({ db, sealer: testSealer, auditRetentionDays: 30 });
  const kept = async () => {
    await sweep.work(new AbortController().signal);
    const entries = await db.auditEntry.findMany({ where: { accountId }, orderBy: { seq: "asc" } });
    return entries.map(({ seq }) => Number(seq));
  };
  await send();
  expect(await kept()).toEqual([2, 3, 4]);
  status = 200;
  await passTime();
  await send();
  expect(await kept()).toEqual([]);
  expect(bodies(own).map(({ data }) => data.seq)).toEqual([2, 2, 3, 4]);
});
