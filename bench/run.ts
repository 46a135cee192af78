import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { hasPgbench, measurePgbench } from "./measure/pgbench.ts";
import { measureVerification } from "./measure/verification.ts";
import { describeReport, type Report, summarizeRounds } from "./report.ts";
import {
  measureBare,
  measureCatch,
  measureIsolation,
  measureTogether,
  type Round,
} from "./rounds.ts";
import { type Stage, setStage } from "./stage.ts";

/**
 * `npm run bench [-- --quick] [--rounds 3] [--seconds 5]`: everything alternates within one run,
 * because two runs on one machine differ by more than what is measured. Medians of the rounds are
 * printed and written to bench/results/.
 */
const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    page: { type: "string", default: "/" },
  },
});
const rounds = Math.min(20, Number(values.rounds ?? (values.quick ? 1 : 3)));
const seconds = Math.min(60, Number(values.seconds ?? (values.quick ? 2 : 5)));

const folder = makeScratchFolder("bench");
for (const name of ["whole", "catch-only"]) mkdirSync(`${folder}/${name}`);
let stage: Stage | undefined;
try {
  stage = await setStage(folder, say);
  const report = await measure(stage);
  say(describeReport(report));
  say(`\nWritten to ${write(report)}`);
} finally {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(on: Stage): Promise<Report> {
  const withPgbench = await hasPgbench();
  if (!withPgbench) say("pgbench is not on the PATH, so its comparison is skipped");
  say("warming up");
  await measureBare(on, 1);
  await measureCatch(on.catchOnly, 1);
  await measureTogether(on, 1);
  const done: Round[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    say(`round ${number} of ${rounds}, ${seconds} s each`);
    done.push(await measureRound(on, withPgbench));
  }
  const summary = summarizeRounds(done);
  // Its throughput when flooded suggests a sustainable pace. The proof is that the backlog doesn't
  // grow.
  const pace = Math.floor((summary.together.workedThroughPerSecond * 0.9) / 100) * 100;
  say(`sustained: ${pace} deliveries a second`);
  const sustained = await measureTogether(on, seconds, pace);
  const verification = measureVerification();
  return { machine: describeMachine(), rounds: done, summary, sustained, pace, verification };
}

async function measureRound(on: Stage, withPgbench: boolean): Promise<Round> {
  const bare = await measureBare(on, seconds);
  say(`  bare node:http ${Math.round(bare.perSecond)}/s`);
  const pgbench = withPgbench ? await measurePgbench(on.catchDatabaseUrl, seconds, folder) : null;
  if (pgbench !== null) say(`  pgbench ${Math.round(pgbench.perSecond)}/s`);
  const catching = await measureCatch(on.catchOnly, seconds);
  say(`  catch ${Math.round(catching.perSecond)}/s, p99 ${catching.latency.p99.toFixed(1)} ms`);
  const together = await measureTogether(on, seconds);
  const { perSecond, callsPerSecond, backlog } = together;
  say(
    `  flooded: caught ${Math.round(perSecond)}/s, called ${Math.round(callsPerSecond)}/s, backlog ${backlog}`,
  );
  const page = { url: `${on.whole.server.origin}${values.page}`, cookie: on.cookie };
  const isolation = await measureIsolation(on.whole, seconds, page);
  say(
    `  500/s: p99 ${isolation.idleP99.toFixed(1)} ms, with a busy page ${isolation.busyP99.toFixed(1)} ms`,
  );
  return { bare, pgbench, catching, together, isolation };
}

function describeMachine(): Report["machine"] {
  return {
    at: new Date().toISOString(),
    node: process.version,
    system: `${platform()} ${arch()}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? "",
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
}

function write(report: Report): string {
  const results = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(results, { recursive: true });
  const path = `${results}${report.machine.at.replaceAll(":", "-")}.json`;
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
