import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import {
  type StripeEvent,
  startFakeStripe,
  toStripeEvent,
} from "#lib/jobs/gaps/testing/fake-stripe.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { findGap, getGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const secretKey = "a secret for tests that is long enough";
const signingSecret = "whsec_0123456789abcdef0123";
const sealer = openSealer(secretKey);
const bench = withCatch({ sealer });
const script = fileURLToPath(new URL("worker.ts", import.meta.url));
const patience = { timeout: 120_000, interval: 100 };

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: bench.url,
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

/** Signed webhooks, ten at a time. */
async function receive(path: string, events: readonly StripeEvent[]): Promise<void> {
  const waiting = [...events];
  const sendNext = async () => {
    for (let event = waiting.pop(); event !== undefined; event = waiting.pop()) {
      const body = JSON.stringify(toStripeEvent(event));
      const time = Math.floor(Date.now() / 1_000);
      const mac = createHmac("sha256", signingSecret).update(`${time}.${body}`).digest("hex");
      const headers = {
        "stripe-signature": `t=${time},v1=${mac}`,
        "content-type": "application/json",
      };
      const { status } = await send(bench.caught.port, path, { body, headers });
      if (status !== 200) throw new Error(`A webhook got ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 10 }, sendNext));
}

it("with 5 % of 10,000 events dropped and two kills, one sweep has all of them, and none twice", {
  tags: "variant",
  timeout: 300_000,
}, async () => {
  const { db } = bench;
  const now = Math.floor(Date.now() / 1_000);
  const events = Array.from({ length: 10_000 }, (_, at) => ({
    id: `evt_1Test${String(at).padStart(16, "0")}`,
    created: now - 1_200 - at * 20,
    type: "invoice.paid",
    // The newest ones are listed late.
    listedFrom: at < 50 ? 60 : 0,
  }));
  const dropped = events.filter((_, at) => at % 20 === 0);
  await using stripe = await startFakeStripe(events);
  const hook = await addHook(db, { provider: "stripe", signingSecret }, sealer);
  await addAction(db, hook);
  await db.hook.update({ where: { id: hook.id }, data: { status: "paused" } });
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, hook.accountId, { variables, sealer });
  const auth = { type: "bearer" as const, token: "rk_test_reader" };
  const { id: credentialId } = await createCredential(context, {
    ...{ name: "Stripe", origin: stripe.origin, auth },
  });
  await receive(
    hook.path,
    events.filter((_, at) => at % 20 !== 0),
  );

  // The first kill: while the provider responds in the middle of the sweep.
  const isAsked = Promise.withResolvers<void>();
  stripe.onRequest = async (request) => {
    if (request !== 40) return;
    isAsked.resolve();
    await new Promise(() => {});
  };
  stripe.limited = { left: 2, retryAfter: "1" };
  const { id: gapId } = await findGap(context, {
    ...{ id: hook.id, credentialId, from: new Date((now - 3 * 86_400) * 1_000).toISOString() },
    to: new Date((now - 600) * 1_000).toISOString(),
  });
  const first = await startWorker();
  await isAsked.promise;
  await kill(first);
  const atKill = await getGap(context, { id: hook.id, gapId });
  expect(atKill.status).toBe("asking");
  expect(atKill.eventCount).toBeGreaterThan(1_000);
  // A third arrives late, while no one works.
  await receive(hook.path, dropped.slice(0, 160));
  await db.$executeRaw`update gaps set leased_until = now()`;

  const second = await startWorker();
  const read = () => getGap(context, { id: hook.id, gapId });
  await expect.poll(async () => (await read()).status, patience).toBe("found");
  expect(await read()).toMatchObject({ eventCount: 10_000 });

  // The second kill: what is taken in is stored, and what became of it isn't recorded yet.
  await db.$executeRaw`
    create function stand_still() returns trigger language plpgsql as $$
      begin if new.taken_count > 100 then perform pg_sleep(300); end if; return new; end $$`;
  await db.$executeRaw`create trigger stand_still before update on gaps for each row execute function stand_still()`;
  await takeInGap(context, { id: hook.id, gapId, run: true });
  const sleeping = async () =>
    await db.$queryRaw<{ pid: number }[]>`
      select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  await expect.poll(async () => (await sleeping()).length, patience).toBe(1);
  await kill(second);
  for (const { pid } of await sleeping())
    await db.$queryRaw`select pg_terminate_backend(${pid}::int)`;
  await db.$executeRaw`drop function stand_still cascade`;
  // A third arrives late, while the rest is taken in.
  await startWorker();
  await receive(hook.path, dropped.slice(160, 330));
  await expect
    .poll(async () => {
      const { jobId } = await read();
      return (await db.bulkJob.findUniqueOrThrow({ where: { id: jobId ?? "" } })).status;
    }, patience)
    .toBe("finished");
  await receive(hook.path, dropped.slice(330));

  const accepted = await db.delivery.findMany({
    where: { hookId: hook.id, status: "accepted" },
    select: { eventId: true },
  });
  expect(accepted.map(({ eventId }) => eventId).toSorted()).toEqual(events.map(({ id }) => id));
  const runs = await db.$queryRaw<{ id: string }[]>`
    select distinct delivery_id as id from queue where hook_id = ${hook.id}::uuid`;
  const [queued] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from queue where hook_id = ${hook.id}::uuid`;
  expect([runs.length, queued?.count]).toEqual([10_000, 10_000]);
  const { takenCount, repeatedCount, missingCount } = await read();
  expect(takenCount + repeatedCount).toBe(missingCount);
  process.stdout.write(
    `10,000 events, 500 dropped: ${missingCount} missing, ${takenCount} taken in, ${repeatedCount} arrived since\n`,
  );
});
