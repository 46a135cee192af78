import { setTimeout as delay } from "node:timers/promises";
import { readCpuMs } from "#e2e/harness/process-tree.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { startBrowsing } from "../load/start-browsing.ts";
import { type LoadResult, prepareLoad } from "../load/start-load.ts";
import type { PgbenchResult } from "../measure/pgbench.ts";
import { cpuPerRequest, type Memory, memoryOf, sampleTree } from "../measure/sample-tree.ts";
import { type MachineNoise, watchMachine } from "../measure/watch-machine.ts";
import { type Budget, makeBudget } from "../outcome/budget.ts";
import type { Peer } from "../peers/peer.ts";
import { countOpenRuns } from "../seed/tables.ts";
import type { Measured, Stage, Whole } from "../stage/stage.ts";

/**
 * The results of one load on one server. Times in milliseconds, memory in megabytes, CPU time in
 * microseconds.
 */
export type Measurement = {
  readonly perSecond: number;
  readonly answered: number;
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
  /** The budget until the last call was recorded. */
  readonly budget: Budget;
};

/** One round of everything that alternates. */
export type Round = {
  readonly bare: Measurement;
  readonly pgbench: PgbenchResult | null;
  /** By the peer's name. */
  readonly peers: Readonly<Record<string, PeerMeasurement>>;
  readonly catching: Measurement;
  readonly together: TogetherMeasurement;
  readonly isolation: IsolationMeasurement;
};

const connections = 64;
/** A flood: many providers at once. */
const floodConnections = 256;
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
    bodyBytes: whole.shape.bodyBytes,
  });
  const before = readCpuMs(barePid) ?? 0;
  const { result, noise } = await watchMachine(whole.folder, () => load.run());
  const used = ((readCpuMs(barePid) ?? 0) - before) * 1000;
  const cpu = { server: Math.round((used / result.answered) * 10) / 10 };
  const memory = { byRole: {}, sumMb: 0, sharedOnceMb: 0 };
  return { ...summarize(result), cpuPerRequest: cpu, memory, noise };
}

/** Measures catching. `ratePerSecond` 0: as fast as possible. */
export async function measureCatch(
  measured: Measured,
  seconds: number,
  ratePerSecond = 0,
): Promise<Measurement> {
  const { measurement, before, after } = await loadCatch(measured, seconds, ratePerSecond);
  return {
    ...measurement,
    cpuPerRequest: cpuPerRequest(before, after, measurement.answered),
    memory: memoryOf(after),
  };
}

/** Loads the hook, and samples the processes right before and after. */
async function loadCatch(
  { server, port, hook, folder, shape }: Measured,
  seconds: number,
  ratePerSecond: number,
  connectionCount = connections,
) {
  const { bodyBytes } = shape;
  const wanted = { port, path: hook.path, seconds, ratePerSecond, bodyBytes };
  const load = await prepare({ ...wanted, connections: connectionCount });
  const before = await sampleTree(server.pid);
  const { result, noise } = await watchMachine(folder, () => load.run());
  const after = await sampleTree(server.pid);
  return { measurement: { ...summarize(result), noise }, before, after };
}

export async function measureTogether(
  { whole, sink }: Pick<Stage, "whole" | "sink">,
  seconds: number,
  ratePerSecond = 0,
): Promise<TogetherMeasurement> {
  const { actions } = whole.shape;
  const callsBefore = (await sink.count()).calls;
  const stopWatching = await whole.database.start();
  const startedAt = performance.now();
  const connectionCount = ratePerSecond === 0 ? floodConnections : connections;
  const { measurement, before, after } = await loadCatch(
    whole,
    seconds,
    ratePerSecond,
    connectionCount,
  );
  const loadEndedAt = performance.now();
  const callsAtEnd = (await sink.count()).calls;
  const backlog = await countOpenRuns(whole.database.client, whole.actionIds);
  await untilDone(whole);
  const drainSeconds = (performance.now() - loadEndedAt) / 1000;
  const database = await stopWatching();
  const cpu = cpuPerRequest(before, await sampleTree(whole.server.pid), measurement.answered);
  const calls = (await sink.count()).calls - callsBefore;
  return {
    ...measurement,
    cpuPerRequest: cpu,
    memory: memoryOf(after),
    callsPerSecond: (callsAtEnd - callsBefore) / seconds,
    backlog,
    drainSeconds,
    workedThroughPerSecond: calls / actions / (seconds + drainSeconds),
    budget: makeBudget({
      deliveries: measurement.answered,
      actions,
      seconds: (performance.now() - startedAt) / 1000,
      database,
      processes: cpu,
    }),
  };
}

/** Waits until no run of the measured hook is open. */
export async function untilDone({ database, actionIds }: Whole): Promise<void> {
  const isDone = async () =>
    (await countOpenRuns(database.client, actionIds)) === 0 ? true : undefined;
  await waitUntil("the backlog to drain", 300_000, isDone, 50);
}

export type PeerMeasurement = Measurement & {
  /** Calls that the sink received, divided by the time until the last one. */
  readonly workedThroughPerSecond: number;
};

/** Another product that catches and calls the same sink, under the same load. */
export async function measurePeer(
  { port, path, pids, sharesPostgres, folder, shape }: Peer,
  { whole, sink }: Pick<Stage, "whole" | "sink">,
  seconds: number,
): Promise<PeerMeasurement> {
  const { bodyBytes } = shape;
  const wanted = { port, path, seconds, ratePerSecond: 0, bodyBytes };
  const load = await prepare({ ...wanted, connections: floodConnections });
  const readCpu = () => pids.reduce((sum, pid) => sum + (readCpuMs(pid) ?? 0), 0);
  const before = readCpu();
  const treeBefore = sharesPostgres ? await sampleTree(whole.server.pid) : [];
  const callsBefore = (await sink.count()).calls;
  const startedAt = performance.now();
  const { result, noise } = await watchMachine(folder, () => load.run());
  let calls = (await sink.count()).calls;
  let lastCallAt = performance.now();
  // It may still be calling when the last request has its response, and may look for more seldom.
  for (let quiet = 0; quiet < 30; quiet += 1) {
    await delay(100);
    const now = (await sink.count()).calls;
    if (now === calls) continue;
    [calls, lastCallAt, quiet] = [now, performance.now(), 0];
  }
  const used = (readCpu() - before) * 1000;
  const called = calls - callsBefore;
  const deliveries = called / shape.actions;
  const { postgres } = sharesPostgres
    ? cpuPerRequest(treeBefore, await sampleTree(whole.server.pid), deliveries)
    : {};
  const server = Math.round((used / deliveries) * 10) / 10;
  return {
    ...summarize(result),
    cpuPerRequest: postgres === undefined ? { server } : { server, postgres },
    memory: { byRole: {}, sumMb: 0, sharedOnceMb: 0 },
    noise,
    workedThroughPerSecond: (deliveries / (lastCallAt - startedAt)) * 1000,
  };
}

/** The processor time of all processes of a system per delivery, in microseconds. */
export function processorTime({ cpuPerRequest: spent }: Measurement): number {
  return Object.values(spent).reduce((sum, microseconds) => sum + microseconds, 0);
}

export type IsolationMeasurement = {
  readonly idleP99: number;
  readonly busyP99: number;
  readonly pagesPerSecond: number;
  readonly pageFailures: number;
  /** The memory while pages are rendered. */
  readonly memory: Memory;
  readonly idleNoise: MachineNoise;
  readonly busyNoise: MachineNoise;
};

/** Measures catching 500/s: alone, and while four clients load pages without a pause. */
export async function measureIsolation(
  measured: Measured,
  seconds: number,
  { urls, cookie }: Pages,
): Promise<IsolationMeasurement> {
  const idle = await measureCatch(measured, seconds, 500);
  // The dashboard is asleep by now, and its start must not be measured.
  for (const url of urls) await fetch(url, { headers: { cookie } });
  const browsing = startBrowsing(urls, 4, cookie);
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

type Pages = { readonly urls: readonly string[]; readonly cookie: string };

type Wanted = {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly ratePerSecond: number;
  readonly bodyBytes: number;
  /** Default: `connections`. */
  readonly connections?: number;
};

/** The limit for prepared requests. More would make the generator use gigabytes. */
const maxPreparedBytes = 400 * 2 ** 20;

function prepare(wanted: Wanted) {
  loads += 1;
  // The rate is more than any of them handles: creating requests while the clock runs would slow
  // the generator.
  const perSecond = wanted.ratePerSecond === 0 ? 30_000 : wanted.ratePerSecond;
  const tag = `${Date.now().toString(36)}_${loads}`;
  const isBare = wanted.path.endsWith("/bare");
  return prepareLoad({
    connections,
    ...wanted,
    tag,
    prepare: Math.min(
      Math.ceil(perSecond * wanted.seconds * (isBare ? 2.5 : 1)),
      Math.floor(maxPreparedBytes / (wanted.bodyBytes + 600)),
    ),
  });
}

function summarize(result: LoadResult) {
  const { answered, seconds, latency, cpuMs, statuses, lost } = result;
  const rejected = answered - (statuses["200"] ?? 0) + lost;
  const generatorCpuPerRequest = Math.round(((cpuMs * 1000) / answered) * 10) / 10;
  return { perSecond: answered / seconds, answered, latency, generatorCpuPerRequest, rejected };
}
