import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { keepScratchFolder, makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { checkPoolers } from "./cluster/check-pooler.ts";
import { startCluster } from "./cluster/cluster.ts";
import { describeFailover } from "./failover-table.ts";
import { allTargets } from "./kill-plan.ts";
import { readLedgerOptions } from "./ledger-options.ts";
import { type Mutant, type MutantName, mutants, waitingLoad } from "./mutants.ts";
import { type CalmLoad, calmLoad, runCalmScenario, shortCalmLoad } from "./run-calm-scenario.ts";
import { runFailoverScenario } from "./run-failover-scenario.ts";
import { runMachineScenario } from "./run-machine-scenario.ts";
import { runPublishScenario } from "./run-publish-scenario.ts";
import { runScenario, type ScenarioResult } from "./run-scenario.ts";
import { runSpoolScenario } from "./run-spool-scenario.ts";
import { runStepsScenario } from "./run-steps-scenario.ts";
import { check, checkAgain, checkAll, isCaught, say, sayMore, sayTotals } from "./say-verdicts.ts";
import { makeBrokerPlace, makeFolderPlace, type SpoolPlace } from "./spool/spool-place.ts";

/**
 * The crash ledger: `npm run crash -- [--kills 5] [--seed n] [--rate 1500] [--mutants
 * all|quick|none|NAME] [--quick] [--publish] [--machine] [--failover [--switches 4] [--proxy]] [--steps
 * [--no-kills [--rounds 10] [--against FOLDER]]] [--spool [--away SECONDS] [--broker amqp]]`.
 * Kills a real server under load and proves from the clients' and the receiver's own records that
 * no acknowledged delivery was lost and no call was unrecorded. Then proves with deliberately broken
 * servers that it would have noticed.
 */
const values = readLedgerOptions();
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const wantedMutants = readMutants(values.mutants ?? (values.quick ? "quick" : "all"));
const kills = Math.min(values.quick ? 3 : Number(values.kills), 200);
/** The number of kills in the ledgers beside the one of deliveries. */
const fewKills = values.quick ? 1 : kills;
/**
 * The seconds until a call of a killed worker is made again: 2 to 6 on two cores, since it has a backlog before it.
 * Waiting for its lease would take 30.
 */
const againSeconds = 15;
/** The same of calls that start alone. */
const aloneSeconds = 60;
const isBroker = values.broker === "amqp";
const spoolLoad = { hooks: 8, ratePerSecond: 500, maxDrainMs: 120_000 };
const startedAt = performance.now();

say(`Crash ledger, seed ${seed}`);
const isCalm = values["no-kills"];
const { publish, machine, failover, steps, spool } = values;
const isAll = !(publish || machine || failover || steps || spool || isCalm);
if (failover) await proveFailover(Number(values.switches), values.proxy);
if (isAll) {
  if (kills > 0) await provePromises();
  if (kills > 0 && !values.quick) await proveWaiting();
  for (const name of wantedMutants) await proveMutantsAreCaught(name);
}
if (isAll || publish) {
  if (kills > 0) await provePublishing();
  if (wantedMutants.length > 0 && !values.quick) await provePublishMutantIsCaught();
}
if (machine || (isAll && !values.quick)) await proveMachine();
if ((isAll && !values.quick) || spool) {
  await proveSpool(false);
  if (isBroker) await proveSpool(true);
  if (wantedMutants.length > 0) await proveSpoolMutantIsCaught();
}
if ((isAll || steps) && !isCalm) {
  if (kills > 0) await proveSteps();
  if (wantedMutants.length > 0 && !values.quick) await proveStepsMutantIsCaught();
}
if (isAll || steps || isCalm) {
  await proveCalm(isCalm && !values.quick ? calmLoad : shortCalmLoad);
  if (wantedMutants.length > 0 && !values.quick && values.against === undefined)
    await proveCalmMutantIsCaught();
}
say(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exit(sayTotals());

async function provePromises(): Promise<void> {
  say(`\n${kills} kills of the real server`);
  const ratePerSecond = Number(values.rate ?? (values.quick ? 800 : 1_500));
  const load = { kills, targets: allTargets, clients: 16, ratePerSecond, sinkDelayMs: 25 };
  await inFolder(async (folder) => {
    const result = await runScenario({ seed, ...load, folder, say: sayMore });
    sayCounts(result);
    const { pace } = result;
    if (pace > 1) sayMore(`This machine is ${pace.toFixed(1)} times slower than a quiet one`);
    const isHeld = checkAll(result.verdicts);
    const recoveredMs = Math.max(
      0,
      ...result.kills.map(({ acknowledgingAfterMs }) => acknowledgingAfterMs),
    );
    check(
      recoveredMs <= 30_000 * pace,
      `I6 acknowledging again within 30 s (longest: ${recoveredMs} ms)`,
    );
    const { startedAgainMs: again, candidatesStartedAgainMs: twice } = result;
    const isAgain = checkAgain("of a killed worker", again, againSeconds, pace);
    const isDone = checkAgain("interrupted twice", twice, aloneSeconds, pace);
    return isHeld && isAgain && isDone;
  });
}

async function proveWaiting(): Promise<void> {
  const { module: mutant, ...load } = waitingLoad;
  say(`\n${load.kills} kills of the worker while hundreds of runs wait in its memory`);
  await inFolder(async (folder) => {
    const own = { seed, clients: 32, mutant, folder, say: sayMore };
    const result = await runScenario({ ...load, ...own });
    sayCounts(result);
    return checkAll(result.verdicts);
  });
}

async function provePublishing(): Promise<void> {
  say(`\n${fewKills} kills while events are published and sent`);
  await inFolder(async (folder) => {
    const load = { kills: fewKills, targets: allTargets, clients: 16, folder };
    const verdicts = await runPublishScenario({ seed, ...load, say: sayMore });
    return checkAll(verdicts);
  });
}

async function proveMachine(): Promise<void> {
  say("\nBackup, a new secret key, and a restore under load");
  await inFolder(async (folder) => {
    const [ratePerSecond, pauseMs] = values.quick ? [200, 1_000] : [800, 10_000];
    const load = { seed, ratePerSecond, pauseMs, folder };
    const verdicts = await runMachineScenario({ ...load, say: sayMore });
    return checkAll(verdicts);
  });
}

async function proveSpool(killsPlace: boolean): Promise<void> {
  const awaySeconds = Number(values.away ?? (values.spool ? 180 : 20));
  const whom = isBroker
    ? "the process that catches and a broker are"
    : "the process that catches is";
  say(`\nPostgreSQL is stopped for ${awaySeconds} s, and ${whom} killed meanwhile`);
  if (killsPlace) say("Then all nodes of the broker are killed as PostgreSQL comes back");
  await inSpool(async (folder, place) => {
    const kinds = {
      seed,
      awayMs: awaySeconds * 1_000,
      kills: 2,
      place,
      killsPlace,
      folder,
      say: sayMore,
    };
    return checkAll(await runSpoolScenario({ ...spoolLoad, ...kinds }));
  });
}

async function inSpool(
  work: (folder: string, place: SpoolPlace) => Promise<boolean>,
): Promise<void> {
  await inFolder(async (folder) => {
    const place = isBroker ? await makeBrokerPlace(folder) : makeFolderPlace(folder);
    try {
      return await work(folder, place);
    } finally {
      await place.stop();
    }
  });
}

async function proveSpoolMutantIsCaught(): Promise<void> {
  say("\nMutant: a delivery is acknowledged before it is in the spool");
  await inSpool(async (folder, place) => {
    const file = isBroker ? "ack-before-broker.ts" : "ack-before-spool.ts";
    const mutant = new URL(`mutants/${file}`, import.meta.url).href;
    const kinds = { seed, awayMs: 8_000, kills: 2, mutant, place, folder, say: sayMore };
    const load = { ...spoolLoad, maxDrainMs: 5_000 };
    return isCaught(await runSpoolScenario({ ...load, ...kinds }), "I1");
  });
}

async function proveFailover(switches: number, isProxied: boolean): Promise<void> {
  const how = isProxied ? "behind HAProxy" : "with all hosts in DATABASE_URL";
  say(`\n${switches} changes of PostgreSQL's leader under load, ${how}`);
  await inFolder(async (folder) => {
    const cluster = await startCluster(folder);
    try {
      const { programs } = cluster;
      const pooled = await checkPoolers({ url: await cluster.leaderUrl(), programs, folder });
      const load = { seed, switches, isProxied, cluster, folder };
      const result = await runFailoverScenario({ ...load, say: sayMore });
      for (const line of describeFailover(result)) sayMore(line);
      const verdicts = [...result.verdicts, pooled];
      for (const { invariant, promise, breaches } of verdicts)
        check(breaches.length === 0, `${invariant} ${promise}`, breaches);
      return verdicts.every(({ breaches }) => breaches.length === 0);
    } finally {
      await cluster.stop();
    }
  });
}

async function provePublishMutantIsCaught(): Promise<void> {
  say("\nMutant: an event is acknowledged before it is committed");
  await inFolder(async (folder) => {
    const mutant = new URL("mutants/ack-before-commit.ts", import.meta.url).href;
    const load = { kills: 2, targets: ["catch"], clients: 64, mutant, folder } as const;
    const verdicts = await runPublishScenario({ seed, ...load, say: sayMore });
    return isCaught(verdicts, "P1");
  });
}

async function proveSteps(): Promise<void> {
  say(`\n${fewKills} kills of the worker while it does five steps, one of them for 20 items`);
  await inFolder(async (folder) => {
    const verdicts = await runStepsScenario({ seed, kills: fewKills, folder, say: sayMore });
    return checkAll(verdicts);
  });
}

async function proveStepsMutantIsCaught(): Promise<void> {
  say("\nMutant: the next step begins before the outcome of the last is in the ledger");
  await inFolder(async (folder) => {
    const mutant = new URL("mutants/next-step-before-record.ts", import.meta.url).href;
    const verdicts = await runStepsScenario({ seed, kills: 3, mutant, folder, say: sayMore });
    return isCaught(verdicts, "S1");
  });
}

async function proveCalm(usual: CalmLoad): Promise<void> {
  const load = { ...usual, rounds: Number(values.rounds ?? usual.rounds) };
  const { rounds, deliveries, items, renewEveryMs } = load;
  say(
    `\nNothing fails: ${rounds} rounds of ${deliveries} deliveries with ${items} items, and leases ` +
      `are renewed every ${renewEveryMs} ms`,
  );
  await inFolder(async (folder) => {
    const checkout = values.against === undefined ? undefined : resolve(values.against);
    const verdicts = await runCalmScenario({ seed, load, checkout, folder, say: sayMore });
    return checkAll(verdicts);
  });
}

async function proveCalmMutantIsCaught(): Promise<void> {
  say("\nMutant: a run whose lease is renewed while a step is recorded counts as lost");
  await inFolder(async (folder) => {
    const mutant = new URL("mutants/without-second-look.ts", import.meta.url).href;
    const load = { ...shortCalmLoad, rounds: 1, deliveries: 12 };
    const verdicts = await runCalmScenario({ seed, load, mutant, folder, say: sayMore });
    return isCaught(verdicts, "C1");
  });
}

async function proveMutantsAreCaught(name: MutantName): Promise<void> {
  const { title, module, breaks, ...load }: Mutant = mutants[name];
  say(`\nMutant: ${title}`);
  await inFolder(async (folder) => {
    const own = { seed, clients: 32, mutant: module, folder, say: sayMore };
    const result = await runScenario({ ...load, ...own });
    sayCounts(result);
    return isCaught(result.verdicts, breaks);
  });
}

/** Works in a folder that is kept if the outcome is not as expected. */
async function inFolder(work: (folder: string) => Promise<boolean>): Promise<void> {
  const folder = makeScratchFolder("crash");
  let isFine = false;
  try {
    isFine = await work(folder);
  } catch (error) {
    check(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  if (isFine) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  keepScratchFolder(folder);
  say(
    `  Kept: ${join(folder, "server.log")}, the ledgers, sink.tsv, and the data beside them; seed ${seed}`,
  );
}

function sayCounts({ acknowledged, stored, calls, openRuns, statuses }: ScenarioResult): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  say(
    `    acknowledged ${acknowledged}, stored ${stored}, calls ${calls}, runs still open ${openRuns}`,
  );
  say(`    responses: ${counts.join(", ")}`);
}

function readMutants(choice: string): MutantName[] {
  const names = Object.keys(mutants) as MutantName[];
  if (choice === "all") return names;
  if (choice === "none") return [];
  if (choice === "quick") return ["ackBeforeStore"];
  const chosen = names.filter((name) => name === choice);
  if (chosen.length === 0) throw new Error(`--mutants: all, quick, none, or ${names.join(", ")}`);
  return chosen;
}
