import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { getAuditReceiver, putAuditReceiver } from "#lib/services/audit-log.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type ReceivedCall, startReceiver } from "#lib/worker/testing/receiver.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());

const secretKey = "a secret for tests that is long enough";
const script = fileURLToPath(new URL("worker.ts", import.meta.url));

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: queue.url,
      CATCHMENT_SECRET_KEY: secretKey,
      CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function addReceiver(url: string) {
  const { accountId } = await queue.addActionQueue();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, accountId, { variables, sealer: openSealer(secretKey) });
  const { secret } = await putAuditReceiver(context, { receiverUrl: url, afterSeq: 0 });
  const change = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        auditWithoutChange(context, {
          event: "hook.updated",
          targets: [{ type: "hook", id: `hook-${at}` }],
        }),
      ),
    );
  return { accountId, context, secret: secret ?? "", change };
}

/** The numbers of calls in the order of their arrival, after their signatures were verified. */
function readNumbers(calls: readonly ReceivedCall[], secret: string): readonly number[] {
  const webhook = new Webhook(secret);
  return calls.map(({ body, headers }) => {
    const event = webhook.verify(body, headers as Record<string, string>) as {
      id: string;
      type: string;
      data: { seq: number };
    };
    expect([event.id, event.type]).toEqual([headers["webhook-id"], "audit.entry"]);
    return event.data.seq;
  });
}

it("workers killed while they send: every entry arrives in order, and a repeat has the same id", {
  tags: "variant",
}, async () => {
  let isHanging = false;
  await using own = await startReceiver((response) => {
    if (!isHanging) response.end("ok");
  });
  const { accountId, context, secret, change } = await addReceiver(own.url);
  await change(20);
  let worker = await startWorker();
  const readReceiver = () => getAuditReceiver(context, {});
  for (const round of [1, 2, 3]) {
    isHanging = true;
    // A change is never held up by its receiver.
    await change(10);
    const before = own.calls.length;
    await expect.poll(() => own.calls.length).toBeGreaterThan(before);
    const hanging = async () => (await readReceiver()).waiting;
    await expect.poll(hanging).toBeGreaterThan(0);
    await kill(worker);
    isHanging = false;
    await db.$executeRaw`
      update audit_receivers set leased_until = now() where account_id = ${accountId}::uuid`;
    worker = await startWorker();
    const last = 21 + round * 10;
    const sent = async () => (await readReceiver()).sentSeq;
    await expect.poll(sent, { interval: 50 }).toBe(last);
  }
  await kill(worker);

  const numbers = readNumbers(own.calls, secret);
  expect([...new Set(numbers)]).toEqual(Array.from({ length: 51 }, (_, at) => at + 1));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.length).toBeGreaterThan(51);
  const ids = own.calls.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(51);
  // Sending is no change, so it makes no entries.
  expect(await db.auditEntry.count({ where: { accountId } })).toBe(51);
});
