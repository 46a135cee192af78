import { expect, it } from "vitest";
import { loadTargets } from "#lib/db/queue/load-run-inputs.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WorkTasks } from "../action/execute-options.ts";
import { openActionConfigs } from "../config/action-config.ts";
import { StepLedger } from "../steps/step-ledger.ts";
import { startReceiver } from "../testing/receiver.ts";
import { testSealer } from "../testing/start-worker.ts";
import { payload, request, withWorkerQueue } from "../testing/with-worker-queue.ts";
import { executeAndReply } from "./execute-and-reply.ts";

const { queue } = await withWorkerQueue();
const createClient = withClients();

it("a call that was made is recorded although its action is disabled before the reply is built", async () => {
  // Such a response is too large for a reply to be built between other runs.
  await using receiver = await startReceiver((response) => response.end('"'.repeat(40_000)));
  const to = await queue.addActionQueue({ request: request(receiver.url) });
  await queue.db.hook.update({
    where: { id: to.hookId },
    data: { reply: { actionId: to.targetId, body: "{{ steps.call.status }}" } },
  });
  await queue.addRuns(to, 1, { body: payload });
  const [run] = await queue.claim();
  if (run?.kind !== "action" || run.delivery === null) throw new Error("Nothing was claimed");
  const target = (await loadTargets(queue.db, [to.targetId])).get(to.targetId);
  const script = new URL("../worker-thread.ts", import.meta.url);
  const pool = new ThreadPool<WorkTasks>({ script });
  const { client } = createClient("127.0.0.0/8");
  const { signal } = new AbortController();
  const { finished } = await executeAndReply(
    { run, target, delivery: run.delivery, records: [] },
    {
      db: queue.db,
      client,
      credentialCalls: new CredentialCalls(client),
      configs: openActionConfigs(testSealer),
      threads: pool.of({ actionId: to.targetId, signal: AbortSignal.abort() }),
      checkEvents: () => Promise.resolve([]),
      ledger: new StepLedger(queue.db),
      onResults: () => {},
      version: "0.0.0",
      stopping: signal,
      signal,
      random: Math.random,
    },
  );
  expect(receiver.calls).toHaveLength(1);
  expect(finished).toMatchObject({ next: { state: "succeeded" }, reply: { reply: null } });
  await pool.close();
});
