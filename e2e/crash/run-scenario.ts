import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checkInvariants, checkUnheard } from "./check-invariants.ts";
import { checksUsage, checkUsage } from "./check-usage.ts";
import {
  readLedger,
  readSinkCalls,
  readStore,
  type SinkCall,
  waitForDrain,
  waitForRuns,
} from "./evidence.ts";
import { kill, waitForRole } from "./kill.ts";
import { endsSupervisor, type KillTarget, planKills } from "./kill-plan.ts";
import { measurePace } from "./pace.ts";
import { type LedgerClient, startLedgerClient } from "./start-ledger-client.ts";

type Scenario = {
  readonly seed: number;
  readonly kills: number;
  readonly targets: readonly KillTarget[];
  readonly clients: number;
  /** Deliveries per second. 0: as fast as possible. */
  readonly ratePerSecond: number;
  /** The receiver's response time, so that calls are in flight when a worker dies. */
  readonly sinkDelayMs: number;
  /** The calls that the worker makes at a time for the one action. Default: 200, as the product. */
  readonly slots?: number | undefined;
  /** A module that every process of the server loads first. See `mutants/`. */
  readonly mutant?: string;
  /** The folder for the ledger, the sink's records, the server's data, and its log. */
  readonly folder: string;
  say(line: string): void;
};

/** The deliveries that must be acknowledged before a kill. A kill without load proves nothing. */
const loadBeforeKill = 100;

type KillRecord = {
  readonly target: KillTarget;
  readonly processes: number;
  /** Unix time. */
  readonly atMs: number;
  /** The time until the next delivery was acknowledged. */
  readonly acknowledgingAfterMs: number;
};

export type ScenarioResult = {
  readonly verdicts: readonly {
    readonly invariant: string;
    readonly promise: string;
    readonly breaches: readonly string[];
  }[];
  /** The machine's pace, see `Pace`. */
  readonly pace: number;
  readonly kills: readonly KillRecord[];
  readonly acknowledged: number;
  readonly stored: number;
  readonly calls: number;
  readonly openRuns: number;
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * For runs in flight when the worker alone was killed, the times until their call was made again.
   */
  readonly startedAgainMs: readonly number[];
  /** The same times for runs that an earlier kill had already interrupted. */
  readonly candidatesStartedAgainMs: readonly number[];
};

/**
 * Runs the server under load, kills it as planned, lets the queue drain, and checks what is left.
 */
export async function runScenario(scenario: Scenario): Promise<ScenarioResult> {
  const { folder, clients, ratePerSecond, sinkDelayMs, slots = 200, mutant } = scenario;
  const ledgerFile = makeFile(join(folder, "ledger.tsv"));
  const sinkFile = makeFile(join(folder, "sink.tsv"));
  const sink = await startSink({ file: sinkFile, delayMs: sinkDelayMs });
  const access = makeAccess();
  const port = await findFreePort();
  const env = mutant === undefined ? {} : { NODE_OPTIONS: `--import=${mutant}` };
  const measured = measurePace();
  const start = () => measured.time(() => startServer({ folder, port, env }, access));
  let server = await start();
  try {
    const { path } = await setUpHook({ ...server, sinkUrl: sink.url, name: "crash ledger" });
    const tag = scenario.seed.toString(36);
    const client = startLedgerClient({ port, path, clients, ratePerSecond, ledgerFile, tag });
    const kills: KillRecord[] = [];
    for (const { target, afterMs } of planKills(scenario.kills, scenario.targets, scenario.seed)) {
      // On a busy machine, the load begins late.
      await Promise.all([delay(afterMs), waitForLoad(client)]);
      const killed = await kill(server, target);
      if (endsSupervisor(target)) server = await start();
      else await waitForRole(server, target, killed.pids);
      const acknowledgingAfterMs = await waitForAcknowledgement(client, killed.atMs);
      // Without this wait, the next kill would count towards this one's time.
      if (target === "worker") await waitForRuns(server.databaseUrl(), killed.atMs, 300_000);
      const processes = killed.pids.size;
      kills.push({ target, processes, atMs: killed.atMs, acknowledgingAfterMs });
      scenario.say(
        `killed ${target} (${processes} processes), acknowledging again after ${acknowledgingAfterMs} ms`,
      );
    }
    await delay(500);
    const report = await client.stop();
    const openRuns = await waitForDrain(server.databaseUrl(), 600_000);
    const acknowledged = readLedger(ledgerFile);
    const calls = readSinkCalls(sinkFile);
    const store = await readStore(server.databaseUrl());
    const workerKills = kills.filter(({ target }) => target === "worker");
    const pace = measured.factor();
    const slowestResponseMs = report.slowestResponseMs / pace;
    const used = checksUsage(scenario) ? [await checkUsage(server.databaseUrl())] : [];
    return {
      verdicts: [
        ...checkInvariants({ ...report, slowestResponseMs, acknowledged, calls, ...store }),
        checkUnheard({ ...store, calls }, kills.filter(endsWorker).length * slots),
        ...used,
      ],
      pace,
      kills,
      acknowledged: acknowledged.length,
      stored: store.deliveries.length,
      calls: calls.length,
      openRuns,
      statuses: report.statuses,
      startedAgainMs: workerKills.flatMap(({ atMs }) => timeRestarts(calls, atMs, "first death")),
      candidatesStartedAgainMs: workerKills.flatMap(({ atMs }) =>
        timeRestarts(calls, atMs, "crash candidate"),
      ),
    };
  } finally {
    await server.stop();
    sink.stop();
  }
}

function endsWorker({ target }: KillRecord): boolean {
  return target !== "catch" && target !== "postgres";
}

function makeFile(path: string): string {
  closeSync(openSync(path, "a"));
  return path;
}

async function waitForLoad(client: LedgerClient): Promise<void> {
  const before = (await client.report()).acknowledged;
  await waitUntil("load", 300_000, async () => {
    const { acknowledged } = await client.report();
    return acknowledged >= before + loadBeforeKill ? true : undefined;
  });
}

/** The milliseconds from the kill to the next acknowledgement. */
async function waitForAcknowledgement(client: LedgerClient, killedAtMs: number): Promise<number> {
  const before = (await client.report()).acknowledged;
  const { lastResponseAtMs } = await waitUntil(
    "a delivery to be acknowledged",
    300_000,
    async () => {
      const report = await client.report();
      return report.acknowledged > before ? report : undefined;
    },
  );
  return lastResponseAtMs - killedAtMs;
}

/**
 * Calls that were in flight or not yet recorded at the kill, and when each was made again: those of
 * runs that died for the first time, or of crash candidates, which start alone (decision 026).
 */
function timeRestarts(
  calls: readonly SinkCall[],
  killedAtMs: number,
  which: "first death" | "crash candidate",
): number[] {
  const byKey = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey);
  return [...byKey.values()].flatMap((own) => {
    const again = own.findIndex(({ atMs }) => atMs > killedAtMs);
    const isTimed = which === "first death" ? again === 1 : again > 1;
    return isTimed ? [(own[again]?.atMs ?? 0) - killedAtMs] : [];
  });
}
