import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checkInvariants } from "./check-invariants.ts";
import { countMissing, readLedger, readSinkCalls, readStore, waitForDrain } from "./evidence.ts";
import { kill, waitForRole } from "./kill.ts";
import { measurePace } from "./pace.ts";
import { findOutOfOrder } from "./spool/check-order.ts";
import { makePostgres } from "./spool/outside-postgres.ts";
import type { SpoolPlace } from "./spool/spool-place.ts";
import { type LedgerReport, type LedgerTask, startLedgerClient } from "./start-ledger-client.ts";

export type SpoolScenario = {
  readonly seed: number;
  readonly hooks: number;
  /** Deliveries per second of all hooks together. */
  readonly ratePerSecond: number;
  /** The time without PostgreSQL. */
  readonly awayMs: number;
  /** How often the process that catches is killed in it. */
  readonly kills: number;
  /** The time that draining may take. */
  readonly maxDrainMs: number;
  /** A module that every process of the server loads first. See `mutants/`. */
  readonly mutant?: string;
  readonly place: SpoolPlace;
  /**
   * Kills the whole place as PostgreSQL comes back. As documented, it costs the order, and a 503 for
   * what isn't confirmed.
   */
  readonly killsPlace?: boolean;
  readonly folder: string;
  say(line: string): void;
};

export type SpoolVerdict = {
  readonly invariant: string;
  readonly promise: string;
  readonly breaches: readonly string[];
};

/**
 * Stops PostgreSQL for a while under load, kills the process that catches meanwhile, and a node of the
 * broker if there is one. Checks what is stored, and what ran, once everything that waited in the spool
 * is drained.
 */
export async function runSpoolScenario(scenario: SpoolScenario): Promise<readonly SpoolVerdict[]> {
  const { folder, place, seed, hooks, ratePerSecond, awayMs, kills, maxDrainMs, mutant, say } =
    scenario;
  const { killsPlace = false } = scenario;
  const sinkFile = makeFile(join(folder, "sink.tsv"));
  const sink = await startSink({ file: sinkFile, delayMs: 0 });
  const postgres = await makePostgres(folder);
  await postgres.start();
  const env = {
    DATABASE_URL: postgres.url,
    CATCHMENT_SPOOL_URL: place.url,
    ...(mutant !== undefined && { NODE_OPTIONS: `--import=${mutant}` }),
  };
  const access = makeAccess();
  const port = await findFreePort();
  const start = () => startServer({ folder, port, env }, access);
  const measured = measurePace();
  let server = await measured.time(start);
  try {
    const targets: Pick<LedgerTask, "path" | "ledgerFile" | "tag">[] = [];
    for (let number = 0; number < hooks; number += 1) {
      const name = `spool ${number}`;
      const { path } = await setUpHook({ ...server, sinkUrl: sink.url, name });
      const ledgerFile = makeFile(join(folder, `ledger-${number}.tsv`));
      targets.push({ path, ledgerFile, tag: `${seed.toString(36)}x${number}` });
    }
    // One client per hook sends one delivery after the other, so their order is known.
    const load = { port, clients: 1, ratePerSecond: ratePerSecond / hooks };
    const clients = targets.map((target) => startLedgerClient({ ...load, ...target }));
    const readAll = () => targets.flatMap(({ ledgerFile }) => readLedger(ledgerFile));
    // What is stored decides, because the spool may seem empty before it is.
    const isDrained = async () => {
      const isEmpty = await place.seemsEmpty();
      return isEmpty && (await countMissing(postgres.url, readAll())) === 0 ? true : undefined;
    };
    const waitUntilDrained = (maxMs: number) =>
      waitUntil("the spool to be drained", maxMs, isDrained, 250).catch(() => {});
    const reportAll = async () => sum(await Promise.all(clients.map((one) => one.report())));
    await delay(2_000);
    const before = await reportAll();
    await postgres.stop();
    const pauseMs = awayMs / (kills + 2);
    for (let number = 0; number < kills; number += 1) {
      await delay(pauseMs);
      await killCatch(server);
    }
    await delay(pauseMs / 2);
    const startPlaceAgain = await place.kill?.(false);
    await delay(pauseMs / 2);
    startPlaceAgain?.();
    // The whole server starts without PostgreSQL, and is ready once it is back.
    await kill(server, "application");
    const killed = await reportAll();
    const restarting = start();
    await delay(pauseMs);
    const last = await reportAll();
    const meanwhile = last.acknowledged - before.acknowledged;
    await postgres.start();
    const backAt = performance.now();
    if (killsPlace) {
      const startAgain = await place.kill?.(true);
      await delay(5_000);
      startAgain?.();
    }
    server = await restarting;
    await waitUntilDrained(2 * maxDrainMs);
    const drainMs = Math.round(performance.now() - backAt);
    await delay(2_000);
    const report = sum(await Promise.all(clients.map((one) => one.stop())));
    // A slow statement may have opened it again.
    await waitUntilDrained(maxDrainMs);
    say(
      `${meanwhile} acknowledged in ${Math.round(awayMs / 1_000)} s without PostgreSQL, drained ` +
        `within ${(drainMs / 1_000).toFixed(1)} s, slowest response ${Math.round(report.slowestResponseMs)} ms`,
    );
    const counts = Object.entries(report.statuses).map(([status, count]) => `${count} × ${status}`);
    say(`responses: ${counts.join(", ")}`);
    await waitUntil("the queue to drain", 600_000, async () =>
      (await waitForDrain(postgres.url, 60_000)) === 0 ? true : undefined,
    );
    const store = await readStore(postgres.url);
    const acknowledged = readAll();
    const calls = readSinkCalls(sinkFile);
    const ledgers = targets.map(({ ledgerFile }) => readLedger(ledgerFile));
    const pace = measured.factor();
    const slowestResponseMs = report.slowestResponseMs / pace;
    return [
      ...checkInvariants({ ...report, slowestResponseMs, acknowledged, calls, ...store }),
      {
        invariant: "B1",
        promise: "deliveries are acknowledged without PostgreSQL, also after a start without it",
        breaches: last.acknowledged > killed.acknowledged ? [] : ["none was"],
      },
      {
        invariant: "B2",
        promise: "only the death of the server costs a delivery its response",
        breaches: findRejected(report.statuses, killsPlace ? ["503"] : []),
      },
      {
        invariant: "B3",
        promise: "the deliveries of a hook are stored in the order of their acknowledgements",
        breaches: killsPlace ? [] : await findOutOfOrder(postgres.url, ledgers),
      },
      {
        invariant: "B4",
        promise: `the spool is drained within ${maxDrainMs / 1_000} s`,
        breaches: drainMs <= maxDrainMs * pace ? [] : [`it took ${drainMs} ms`],
      },
    ];
  } finally {
    await server.stop();
    await postgres.stop();
    sink.stop();
  }
}

async function killCatch(server: ServerUnderTest): Promise<void> {
  const killed = await kill(server, "catch");
  await waitForRole(server, "catch", killed.pids);
}

function findRejected(statuses: LedgerReport["statuses"], allowed: readonly string[]): string[] {
  const fine = new Set(["200", "reset", "refused", ...allowed]);
  return Object.entries(statuses)
    .filter(([status]) => !fine.has(status))
    .map(([status, count]) => `${count} responses were ${status}`);
}

function sum(reports: readonly LedgerReport[]): LedgerReport {
  const statuses: Record<string, number> = {};
  for (const report of reports)
    for (const [status, count] of Object.entries(report.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  return {
    isFinished: reports.every(({ isFinished }) => isFinished),
    acknowledged: reports.reduce((all, { acknowledged }) => all + acknowledged, 0),
    resent: reports.reduce((all, { resent }) => all + resent, 0),
    statuses,
    slowestResponseMs: Math.max(...reports.map(({ slowestResponseMs }) => slowestResponseMs)),
    lastResponseAtMs: Math.max(...reports.map(({ lastResponseAtMs }) => lastResponseAtMs)),
  };
}

function makeFile(path: string): string {
  closeSync(openSync(path, "a"));
  return path;
}
