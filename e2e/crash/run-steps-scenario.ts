import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHookWith } from "#e2e/harness/set-up-hook.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { waitForDrain } from "./evidence.ts";
import { planKills } from "./kill-plan.ts";
import {
  checkSteps,
  type KilledWorker,
  type StepsEvidence,
  type StepsVerdict,
} from "./steps/check-steps.ts";
import { deliverOrders } from "./steps/deliver-orders.ts";
import { makeFiveSteps } from "./steps/five-steps.ts";
import { toLedgerTable } from "./steps/ledger-table.ts";
import { type LedgerReader, openLedgerReader } from "./steps/read-ledger.ts";
import { resolveHeld } from "./steps/resolve-held.ts";
import { startWorkerProcess, type WorkerProcess } from "./steps/worker-process.ts";
import { startStepReceiver } from "./testing/step-receiver.ts";

type StepsScenario = {
  readonly seed: number;
  readonly kills: number;
  /** A module that every worker loads first. See `mutants/`. */
  readonly mutant?: string;
  readonly folder: string;
  say(line: string): void;
};

/**
 * Kills workers while they run steps, resolves the calls that runs ask about, lets the queue drain,
 * and compares the receiver's record with the ledger. Nothing moves between two workers, so the
 * ledger can be read as the dead one left it.
 */
export async function runStepsScenario({
  seed,
  kills,
  mutant,
  folder,
  say,
}: StepsScenario): Promise<readonly StepsVerdict[]> {
  const access = makeAccess();
  const receiver = await startStepReceiver();
  const port = await findFreePort();
  const server = await startServer({ folder, port, roles: ["web", "catch"] }, access);
  const databaseUrl = server.databaseUrl();
  const { secretKey } = access;
  const modules = mutant === undefined ? [] : [mutant];
  const workerOptions = { databaseUrl, secretKey, origin: server.origin, modules };
  const startWorker = () =>
    startWorkerProcess({ ...workerOptions, logFile: join(folder, "worker.log") });
  let worker = await startWorker();
  const ledger = openLedgerReader(databaseUrl);
  try {
    const steps = makeFiveSteps(receiver.origin);
    const { path } = await setUpHookWith(server, "crash ledger", { name: "five steps", steps });
    const orders = deliverOrders({
      catchUrl: new URL(path, server.origin),
      tag: seed.toString(36),
      countEnded: () => receiver.countOf("tell"),
    });
    const killed: KilledWorker[] = [];
    const countKills = () => killed.length;
    const resolver = resolveHeld({ access: server, ledger, receiver, countKills });
    for (const { afterMs } of planKills(kills, ["worker"], seed, spread)) {
      const before = receiver.calls.length;
      await waitUntil(
        "the worker to call",
        600_000,
        () => receiver.calls.length > before || undefined,
      );
      await delay(afterMs);
      killed.push(await killWorker(worker, ledger));
      worker = await startWorker();
    }
    await delay(500);
    await orders.stop();
    await waitForDrain(databaseUrl, 600_000);
    // The wait is for a run that the last kill quarantined.
    await delay(500);
    await waitForDrain(databaseUrl, 600_000);
    await resolver.stop();
    const evidence: StepsEvidence = {
      acknowledged: orders.acknowledged,
      killed,
      calls: receiver.calls,
      runs: await ledger.readRuns(),
      heldAndDone: resolver.resolved.filter(({ as }) => as === "succeeded"),
      quarantined: resolver.retried,
      unknown: await ledger.readUnknown(),
      eventIds: await ledger.readEventIds(),
    };
    for (const line of toLedgerTable(evidence, resolver.resolved)) say(line);
    return checkSteps(evidence);
  } finally {
    await ledger.close();
    await worker.stop();
    await server.stop();
    receiver.stop();
  }
}

/** The delay of the kill after a worker's first call. */
const spread = { fromMs: 0, toMs: 800 };

async function killWorker(worker: WorkerProcess, ledger: LedgerReader): Promise<KilledWorker> {
  const killedAtMs = await worker.kill();
  const atDeath = await ledger.readOpen();
  return { killedAtMs, nextStartsAtMs: Date.now(), ledger: atDeath };
}
