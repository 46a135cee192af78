import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook, setUpHookWith } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checkDeliveries, checkStepLedger, type FailoverVerdict } from "./check-failover.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { waitForDrain } from "./evidence.ts";
import { type Gaps, watchGaps } from "./gap-watch.ts";
import { measurePace } from "./pace.ts";
import { startPublishers } from "./publishers.ts";
import { checkPublished, readEventIds } from "./run-publish-scenario.ts";
import { startLedgerClient } from "./start-ledger-client.ts";
import { deliverOrders } from "./steps/deliver-orders.ts";
import { makeFiveSteps } from "./steps/five-steps.ts";
import { openLedgerReader } from "./steps/read-ledger.ts";
import { resolveHeld } from "./steps/resolve-held.ts";
import { startReceivers } from "./testing/receivers.ts";
import { startStepReceiver } from "./testing/step-receiver.ts";

export type FailoverScenario = {
  readonly seed: number;
  /** How often the leader changes, by turns at a switchover and at a kill. */
  readonly switches: number;
  readonly cluster: Cluster;
  /** HAProxy in front, instead of all hosts in the URL. */
  readonly isProxied: boolean;
  readonly folder: string;
  say(line: string): void;
};

export type FailoverKind = "switchover" | "kill";
export type Acknowledged = "deliveries" | "events" | "steps";
export type Change = { readonly kind: FailoverKind; readonly gapsMs: Gaps<Acknowledged> };

export type FailoverResult = {
  readonly changes: readonly Change[];
  readonly acknowledged: Readonly<Record<Acknowledged, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly verdicts: readonly FailoverVerdict[];
};

const rates = { deliveries: 200, publishPauseMs: 20 } as const;

/**
 * Changes PostgreSQL's leader while deliveries are caught, events published, and steps done, lets the
 * queue drain, and compares what clients and receivers recorded with the database.
 */
export async function runFailoverScenario(scenario: FailoverScenario): Promise<FailoverResult> {
  const { folder, cluster, seed, switches, say } = scenario;
  const [ledgerFile, sinkFile] = [join(folder, "ledger.tsv"), join(folder, "sink.tsv")];
  for (const file of [ledgerFile, sinkFile]) closeSync(openSync(file, "a"));
  const databaseUrl = scenario.isProxied ? cluster.proxyUrl : cluster.url;
  const access = makeAccess();
  const port = await findFreePort();
  const pace = measurePace();
  const env = { DATABASE_URL: databaseUrl };
  const server = await pace.time(() => startServer({ folder, port, env }, access));
  const sink = await startSink({ file: sinkFile, delayMs: 25 });
  const receivers = await startReceivers();
  const stepReceiver = await startStepReceiver();
  // It asks while the leader changes, as a person would.
  const ledger = openLedgerReader(databaseUrl);
  try {
    const { apiToken, secretKey } = access;
    await receivers.subscribe({ databaseUrl, secretKey });
    const hook = await setUpHook({ ...server, sinkUrl: sink.url, name: "failover" });
    const steps = makeFiveSteps(stepReceiver.origin);
    const stepHook = await setUpHookWith(server, "steps", { name: "five steps", steps });
    const tag = seed.toString(36);
    const client = startLedgerClient({
      ...{ port, path: hook.path, clients: 16, ratePerSecond: rates.deliveries },
      ...{ ledgerFile, tag: `${tag}d` },
    });
    const publishers = startPublishers({
      ...{ port, apiToken, clients: 4, tag: `${tag}p`, pauseMs: rates.publishPauseMs },
    });
    const orders = deliverOrders({
      catchUrl: new URL(stepHook.path, server.origin),
      tag: `${tag}s`,
      countEnded: () => stepReceiver.countOf("tell"),
      isRepeated: true,
    });
    const resolver = resolveHeld({
      ...{ access: server, ledger, receiver: stepReceiver, countKills: () => 0, isRepeated: true },
    });
    const watch = watchGaps(async () => ({
      deliveries: (await client.report()).acknowledged,
      events: publishers.acknowledged.length,
      steps: orders.acknowledged.length,
    }));
    const changes: Change[] = [];
    for (let number = 0; number < switches; number += 1) {
      const kind = number % 2 === 0 ? "switchover" : "kill";
      await delay(1_000);
      watch.begin();
      const startAgain = await changeLeader(cluster, kind);
      await watch.waitForGrowth();
      startAgain?.();
      await cluster.waitUntilWhole();
      const gapsMs = watch.read();
      changes.push({ kind, gapsMs });
      const gaps = Object.entries(gapsMs).map(([name, ms]) => `${name} ${ms} ms`);
      say(`${number + 1}. ${kind}: acknowledging again after ${gaps.join(", ")}`);
    }
    await delay(500);
    await watch.stop();
    const report = await client.stop();
    await publishers.stop();
    await orders.stop();
    const leaderUrl = await cluster.leaderUrl();
    await waitForDrain(leaderUrl, 300_000);
    await resolver.stop();
    const deliveries = await checkDeliveries({
      ...{ databaseUrl: leaderUrl, ledgerFile, sinkFile, tag: `evt_${tag}d_` },
      report: { ...report, slowestResponseMs: report.slowestResponseMs / pace.factor() },
    });
    const stored = await readEventIds(leaderUrl);
    const published = checkPublished(publishers, receivers, stored, pace.factor());
    const resolved = resolver.resolved;
    const stepped = await checkStepLedger({ ledger, orders, receiver: stepReceiver, resolved });
    return {
      changes,
      acknowledged: {
        deliveries: deliveries.acknowledged,
        events: publishers.acknowledged.length,
        steps: orders.acknowledged.length,
      },
      statuses: report.statuses,
      verdicts: [...deliveries.verdicts, ...published, ...stepped],
    };
  } finally {
    await ledger.close();
    await server.stop();
    for (const each of [sink, receivers, stepReceiver]) each.stop();
  }
}

/** @returns what starts the killed node again */
async function changeLeader(
  cluster: Cluster,
  kind: FailoverKind,
): Promise<(() => void) | undefined> {
  if (kind === "kill") return await cluster.killLeader();
  await cluster.switchOver();
  return undefined;
}
