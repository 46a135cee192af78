import { join } from "node:path";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHookWith } from "#e2e/harness/set-up-hook.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { type CalmVerdict, checkCalm } from "./steps/check-calm.ts";
import { deliverOrder } from "./steps/deliver-orders.ts";
import { type LedgerReader, openLedgerReader } from "./steps/read-ledger.ts";
import { startWorkerProcess } from "./steps/worker-process.ts";
import { startStepReceiver } from "./testing/step-receiver.ts";

export type CalmLoad = {
  readonly rounds: number;
  /** The number of deliveries in each round. */
  readonly deliveries: number;
  /** The number of items in each delivery. */
  readonly items: number;
  /** The time that the receiver takes for a call, in milliseconds. */
  readonly work: { readonly fromMs: number; readonly toMs: number };
  readonly renewEveryMs: number;
  readonly leaseMs: number;
};

/** A load of 405,000 calls. */
export const calmLoad: CalmLoad = {
  rounds: 10,
  deliveries: 90,
  items: 450,
  work: { fromMs: 200, toMs: 500 },
  renewEveryMs: 1_000,
  leaseMs: 30_000,
};

/** A load of a few seconds, with as many renewals. */
export const shortCalmLoad: CalmLoad = {
  rounds: 2,
  deliveries: 20,
  items: 50,
  work: { fromMs: 5, toMs: 20 },
  renewEveryMs: 5,
  leaseMs: 2_000,
};

type CalmScenario = {
  readonly seed: number;
  readonly load: CalmLoad;
  /** A module that the worker loads first. See `mutants/`. */
  readonly mutant?: string;
  /** The folder of another version that is set up. Omitted: this version. */
  readonly checkout?: string | undefined;
  readonly folder: string;
  say(line: string): void;
};

/**
 * Runs steps for many items while leases are renewed, and nothing fails. Every second round has a
 * step whose calls are made again if their outcome is unknown, and the others one that asks.
 */
export async function runCalmScenario({
  seed,
  load,
  mutant,
  checkout,
  folder,
  say,
}: CalmScenario): Promise<readonly CalmVerdict[]> {
  const { rounds, deliveries, items, work, renewEveryMs, leaseMs } = load;
  const access = makeAccess();
  const receiver = await startStepReceiver({ itemCount: items, work });
  const server = await startServer({ folder, roles: ["web", "catch"], checkout }, access);
  const databaseUrl = server.databaseUrl();
  const leases = `everyMs=${renewEveryMs}&leaseMs=${leaseMs}`;
  const renewOften = new URL(`mutants/renew-often.ts?${leases}`, import.meta.url);
  const worker = await startWorkerProcess({
    databaseUrl,
    secretKey: access.secretKey,
    origin: server.origin,
    modules: [renewOften.href, ...(mutant === undefined ? [] : [mutant])],
    checkout,
    logFile: join(folder, "worker.log"),
  });
  const ledger = openLedgerReader(databaseUrl);
  try {
    const setUp = async (onUnknown: "repeat" | "ask") => {
      const steps = makeListSteps(receiver.origin, onUnknown);
      const { path } = await setUpHookWith(server, onUnknown, { name: onUnknown, steps });
      return new URL(path, server.origin);
    };
    const catchUrls = [await setUp("repeat"), await setUp("ask")];
    const eventIds: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      const catchUrl = catchUrls[round % 2] as URL;
      const delivering = Array.from({ length: deliveries }, (_, at) =>
        deliverOrder(catchUrl, `evt_${seed.toString(36)}_${round}_${at}`),
      );
      eventIds.push(...(await Promise.all(delivering)));
      await waitUntilSettled(ledger);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(`round ${round + 1}: ${receiver.calls.length} calls in all, ${seconds} s`);
    }
    const evidence = {
      eventIds,
      items,
      calls: receiver.calls,
      held: await ledger.readHeld(),
      runs: await ledger.readRuns(),
    };
    return checkCalm(evidence);
  } finally {
    await ledger.close();
    await worker.stop();
    await server.stop();
    receiver.stop();
  }
}

function makeListSteps(receiver: string, onUnknown: "repeat" | "ask"): readonly object[] {
  // Nothing may fail, however busy the machine is.
  const timeoutMs = 60_000;
  const request = { url: `${receiver}/{{ id }}/find`, method: "GET" };
  const each = { url: `${receiver}/{{ id }}/each/{{ index }}`, method: "POST" };
  const forEach = { path: "steps.find.body.items", parallel: 10 };
  return [
    { key: "find", kind: "call", timeoutMs, request },
    { key: "each", kind: "call", timeoutMs, forEach, onUnknown, request: each },
  ];
}

/** Waits until every run has ended or waits for a person. */
async function waitUntilSettled(ledger: LedgerReader): Promise<void> {
  await waitUntil(
    "the runs to end",
    600_000,
    async () => {
      const held = new Set((await ledger.readHeld()).map(({ runId }) => runId));
      return (await ledger.countOpen()) === held.size || undefined;
    },
    200,
  );
}
