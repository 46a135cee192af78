import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { readCpuMs } from "#e2e/harness/process-tree.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { startBrowsing } from "./load/start-browsing.ts";
import { type LoadResult, prepareLoad } from "./load/start-load.ts";
import type { PgbenchResult } from "./measure/pgbench.ts";
import { cpuPerRequest, type Memory, memoryOf, sampleTree } from "./measure/sample-tree.ts";
import { type MachineNoise, watchMachine } from "./measure/watch-machine.ts";
import type { Measured, Stage } from "./stage.ts";

/**
 * The results of one load on one server. Times in milliseconds, memory in megabytes, CPU time in
 * microseconds.
 */
export type Measurement = {
  readonly perSecond: number;
  readonly latency: LoadResult["latency"];
  readonly cpuPerRequest: Readonly<Record<string, number>>;
  readonly generatorCpuPerRequest: number;
  readonly rejected: number;
  readonly memory: Memory;
  readonly noise: MachineNoise;
};

export type TogetherMeasurement = Measurement & {
  /** Calls that the sink received while the load ran. */
  readonly callsPerSecond: number;
  /** Runs still open when the load ended, and how long they took then. */
  readonly backlog: number;
  readonly drainSeconds: number;
  /** Deliveries caught and called, divided by the time until the last call was recorded. */
  readonly workedThroughPerSecond: number;
};

/** One round of everything that alternates. */
export type Round = {
  readonly bare: Measurement;
  readonly pgbench: PgbenchResult | null;
  readonly catching: Measurement;
  readonly together: TogetherMeasurement;
  readonly isolation: IsolationMeasurement;
};

const connections = 64;
let loads = 0;

export async function measureBare(
  { barePort, barePid, whole }: Stage,
  seconds: number,
): Promise<Measurement> {
  const load = await prepare({
    port: barePort,
    path: "/catch/main/bare",
    seconds,
    ratePerSecond: 0,
  });
  const before = readCpuMs(barePid) ?? 0;
  const { result, noise } = await watchMachine(whole.folder, () => load.run());
  const used = ((readCpuMs(barePid) ?? 0) - before) * 1000;
  const cpu = { server: Math.round((used / result.answered) * 10) / 10 };
  const memory = { byRole: {}, sumMb: 0, sharedOnceMb: 0 };
  return { ...summarize(result), cpuPerRequest: cpu, memory, noise };
}

/** `ratePerSecond` 0: as fast as possible. */
export async function measureCatch(
  measured: Measured,
  seconds: number,
  ratePerSecond = 0,
): Promise<Measurement> {
  const { server, port, hook, folder } = measured;
  const load = await prepare({ port, path: hook.path, seconds, ratePerSecond });
  const before = await sampleTree(server.pid);
  const { result, noise } = await watchMachine(folder, () => load.run());
  const after = await sampleTree(server.pid);
  return {
    ...summarize(result),
    cpuPerRequest: cpuPerRequest(before, after, result.answered),
    memory: memoryOf(after),
    noise,
  };
}

export async function measureTogether(
  stage: Stage,
  seconds: number,
  ratePerSecond = 0,
): Promise<TogetherMeasurement> {
  const { whole, sink } = stage;
  const before = await sink.count();
  const measurement = await measureCatch(whole, seconds, ratePerSecond);
  const atEnd = await sink.count();
  const database = new Client({ connectionString: whole.server.databaseUrl() });
  await database.connect();
  const loadEndedAt = performance.now();
  const backlog = await countOpen(database);
  await waitUntil(
    "the backlog to drain",
    120_000,
    async () => ((await countOpen(database)) === 0 ? true : undefined),
    50,
  );
  await database.end();
  const drainSeconds = (performance.now() - loadEndedAt) / 1000;
  const end = await sink.count();
  return {
    ...measurement,
    callsPerSecond: (atEnd.calls - before.calls) / seconds,
    backlog,
    drainSeconds,
    workedThroughPerSecond: (end.calls - before.calls) / (seconds + drainSeconds),
  };
}

async function countOpen(database: Client): Promise<number> {
  const { rows } = await database.query(
    "select count(*)::int as open from runs where finished_at is null",
  );
  return rows[0]?.open ?? 0;
}

export type IsolationMeasurement = {
  readonly idleP99: number;
  readonly busyP99: number;
  readonly pagesPerSecond: number;
  readonly pageFailures: number;
  /** While pages are rendered. */
  readonly memory: Memory;
  readonly idleNoise: MachineNoise;
  readonly busyNoise: MachineNoise;
};

/** Catching 500/s: alone, and while four clients load a page without a pause. */
export async function measureIsolation(
  measured: Measured,
  seconds: number,
  page: Page,
): Promise<IsolationMeasurement> {
  const idle = await measureCatch(measured, seconds, 500);
  // The dashboard is asleep by now, and its start must not be measured.
  await fetch(page.url, { headers: { cookie: page.cookie } });
  const browsing = startBrowsing(page.url, 4, page.cookie);
  await delay(500);
  const busy = await measureCatch(measured, seconds, 500);
  const { pages, failures } = await browsing.stop();
  return {
    idleP99: idle.latency.p99,
    busyP99: busy.latency.p99,
    pagesPerSecond: pages / (seconds + 0.5),
    pageFailures: failures,
    memory: busy.memory,
    idleNoise: idle.noise,
    busyNoise: busy.noise,
  };
}

export type Page = { readonly url: string; readonly cookie: string };

type Wanted = {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly ratePerSecond: number;
};

function prepare(wanted: Wanted) {
  loads += 1;
  // More than any of them handles: creating requests while the clock runs would slow the generator.
  const perSecond = wanted.ratePerSecond === 0 ? 30_000 : wanted.ratePerSecond;
  const tag = `${Date.now().toString(36)}_${loads}`;
  const isBare = wanted.path.endsWith("/bare");
  return prepareLoad({
    ...wanted,
    connections,
    tag,
    prepare: Math.ceil(perSecond * wanted.seconds * (isBare ? 2.5 : 1)),
  });
}

function summarize(result: LoadResult) {
  const { answered, seconds, latency, cpuMs, statuses, lost } = result;
  const rejected = answered - (statuses["200"] ?? 0) + lost;
  const generatorCpuPerRequest = Math.round(((cpuMs * 1000) / answered) * 10) / 10;
  return { perSecond: answered / seconds, latency, generatorCpuPerRequest, rejected };
}
