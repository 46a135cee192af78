import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { findGap, getGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { createFetchedEvaluation } from "./evaluate-fetched.ts";
import { type Sent, startFakeGithub } from "./testing/fake-redeliverers.ts";

const { db, url } = withDatabase();

/** Works in a process of its own, as if a minute passed between two batches. */
const source = `
  import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
  import { createDatabase } from "#lib/db/postgres/client.ts";
  import { testSealer } from "#lib/db/testing/test-sealer.ts";
  import { findGapJob } from "#lib/jobs/gaps/find-gap.ts";
  import { takeInJob } from "#lib/jobs/gaps/take-in.ts";
  import { createHttpClient } from "#lib/net/http-client.ts";
  const db = createDatabase({ url: process.argv[1], poolSize: 2, applicationName: "redeliver" });
  const client = createHttpClient({ allow: parseCidrList("127.0.0.0/8").cidrs });
  const options = { db, sealer: testSealer, client, publicOrigin: "https://hooks.example.test" };
  const jobs = [findGapJob(options, 0), takeInJob(options)];
  const signal = new AbortController().signal;
  for (;;) {
    await db.$executeRaw\`update gaps set next_at = null where next_at is not null\`;
    await db.$executeRaw\`update bulk_jobs set next_at = null where next_at is not null\`;
    const worked = [];
    for (const job of jobs) worked.push(await job.work(signal));
    if (!worked.includes(true)) await new Promise((resolve) => setTimeout(resolve, 50));
  }
`;

function startWorker(): ChildProcess {
  const args = ["--input-type=module", "--eval", source, "--", url];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const patience = { timeout: 240_000, interval: 100 };

it("with 5 % of 10,000 deliveries dropped and two kills, GitHub is asked for each, and none is doubled", {
  tags: "variant",
  timeout: 900_000,
}, async () => {
  const sent: Sent[] = Array.from({ length: 10_000 }, (_, at) => ({
    guid: `0b989ba4-242f-11e5-81e1-${String(at).padStart(12, "0")}`,
    event: "push",
    atMs: Date.now() - 7_200_000 - at * 15_000,
    status: at % 20 === 0 ? 502 : 200,
  }));
  const lost = sent.filter(({ status }) => status !== 200);
  await using fake = await startFakeGithub(sent);
  const hook = await addHook(db, { provider: "github", signingSecret: "a-long-secret" });
  const context = testContext(db, hook.accountId, {
    variables: { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" },
  });
  const stored = await findAcceptingHook(db, hook.accountId, hook.id);
  if (stored === null) throw new Error("The hook is gone");
  const parts = { sealer: testSealer, createEventCheck: () => async () => [] };
  const evaluate = await createFetchedEvaluation(db, stored, parts);
  async function receive(guids: readonly string[]): Promise<void> {
    for (let at = 0; at < guids.length; at += 200) {
      const evaluated = guids.slice(at, at + 200).map(async (guid) => {
        const headers: [string, string][] = [
          ["X-GitHub-Delivery", guid],
          ["X-GitHub-Event", "push"],
        ];
        return await evaluate({ body: Buffer.from(JSON.stringify({ guid })), host: "", headers });
      });
      const deliveries = await Promise.all(evaluated);
      await storeDeliveries(
        db,
        deliveries.filter((delivery) => delivery !== null),
      );
    }
  }
  const guidsOf = (some: readonly Sent[]) => some.map(({ guid }) => guid);
  await receive(guidsOf(sent.filter(({ status }) => status === 200)));
  const auth = { type: "bearer" as const, token: "github_pat_1" };
  const saved = { name: "token", origin: fake.origin, auth };
  const { id: credentialId } = await createCredential(context, saved);

  // The first kill: in the middle of the search.
  const first = startWorker();
  const from = new Date(Date.now() - 2.5 * 86_400_000).toISOString();
  const webhook = "https://github.com/acme/shop/settings/hooks/12";
  const { id: gapId } = await findGap(context, { id: hook.id, from, credentialId, webhook });
  const read = () => getGap(context, { id: hook.id, gapId });
  await expect.poll(async () => (await read()).eventCount, patience).toBeGreaterThan(2_000);
  first.kill("SIGKILL");
  await once(first, "exit");
  expect((await read()).status).toBe("asking");
  // Some arrive late, while no one works.
  await receive(guidsOf(lost.slice(0, 50)));
  await db.$executeRaw`update gaps set leased_until = now()`;
  const second = startWorker();
  await expect.poll(async () => (await read()).status, patience).toBe("found");
  expect(await read()).toMatchObject({ eventCount: 10_000 });

  // The second kill: GitHub was asked, and that isn't recorded yet.
  fake.onAsked = (count) => count === 100 && second.kill("SIGKILL");
  const { id: jobId } = await takeInGap(context, { id: hook.id, gapId, run: true });
  await once(second, "exit");
  expect(fake.asked).toHaveLength(100);
  await receive(guidsOf(lost.slice(50, 200)));
  startWorker();
  const job = () => db.bulkJob.findUniqueOrThrow({ where: { id: jobId } });
  await expect.poll(async () => (await job()).status, patience).toBe("finished");
  // What GitHub was asked for comes, also what it was asked for twice.
  await receive(fake.asked);

  const asked = new Set(fake.asked);
  expect(fake.asked.length - asked.size).toBeLessThanOrEqual(1);
  const accepted = await db.delivery.findMany({
    where: { hookId: hook.id, status: "accepted" },
    select: { eventId: true },
  });
  expect(accepted.map(({ eventId }) => eventId).toSorted()).toEqual(guidsOf(sent));
  const { missingCount, takenCount, repeatedCount } = await read();
  expect(takenCount + repeatedCount).toBe(missingCount);
  process.stdout.write(
    `10,000 deliveries, 500 dropped: ${missingCount} missing, asked for ${fake.asked.length}, ${repeatedCount} arrived since\n`,
  );
});
