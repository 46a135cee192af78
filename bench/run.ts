import { mkdirSync, rmSync } from "node:fs";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { hasPgbench, measurePgbench } from "./measure/pgbench.ts";
import { measureVerification } from "./measure/verification.ts";
import { readOptions } from "./options.ts";
import {
  describeComparison,
  describeMachine,
  type Figures,
  readCommit,
  readResults,
  saveResults,
} from "./outcome/results.ts";
import type { Peer } from "./peers/peer.ts";
import { peerKinds } from "./peers/peer-kinds.ts";
import { describeReport, figuresOf, type Report, summarizeRounds } from "./report.ts";
import {
  measureBare,
  measureCatch,
  measureIsolation,
  measurePeer,
  measureTogether,
  type PeerMeasurement,
  type Round,
} from "./rounds/rounds.ts";
import { measureSeeded } from "./seeded.ts";
import { createDatabase, type Stage, setStage } from "./stage/stage.ts";

/**
 * `npm run bench`: everything alternates within one run, because two runs on one machine differ by
 * more than what is measured. Medians of the rounds are printed and saved. README.md has the
 * options.
 */
const options = readOptions();
const { rounds, seconds, shape, against } = options;
// A missing file fails now rather than after minutes.
const earlier = against === undefined ? undefined : readResults(against);
if (options.peers) for (const kind of peerKinds) await kind.install(say);

const folder = makeScratchFolder("bench");
try {
  const machine = describeMachine();
  const { figures, details } =
    options.seeded > 0 ? await measureSeeded(options, folder, say) : await runAll();
  const results = { machine, commit: readCommit(), options, figures, details };
  say(`\nSaved to ${saveResults(results, options.save)}`);
  if (earlier !== undefined) {
    const before = { name: `${against} (${earlier.commit})`, figures: earlier.figures };
    say(`\n${describeComparison([before, { name: "this run", figures }])}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll(): Promise<{ figures: Figures; details: Report }> {
  for (const name of ["whole", "catch-only"]) mkdirSync(`${folder}/${name}`);
  let stage: Stage | undefined;
  const peers: Peer[] = [];
  try {
    stage = await setStage({ folder, log: say, shape });
    const own = stage.whole.server.databaseUrl();
    const peerOptions = {
      folder,
      shape,
      sinkUrl: stage.sink.url,
      createDatabase: (name: string) => createDatabase(own, name),
    };
    if (options.peers) for (const kind of peerKinds) peers.push(await kind.start(peerOptions));
    const report = await measure(stage, peers);
    say(describeReport(describeMachine(), report));
    return { figures: figuresOf(report), details: report };
  } finally {
    for (const peer of peers) await peer.stop();
    await stage?.stop();
  }
}

async function measure(on: Stage, peers: readonly Peer[]): Promise<Report> {
  const withPgbench = await hasPgbench();
  if (!withPgbench) say("pgbench is not on the PATH, so its comparison is skipped");
  say("warming up");
  await measureBare(on, 1);
  await measureCatch(on.catchOnly, 1);
  await measureTogether(on, 1);
  for (const peer of peers) await measurePeer(peer, on, 1);
  const done: Round[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    say(`round ${number} of ${rounds}, ${seconds} s each`);
    done.push(await measureRound(on, peers, withPgbench));
  }
  const summary = summarizeRounds(done);
  // Its throughput when flooded suggests a sustainable pace. The proof is that the backlog doesn't
  // grow.
  const pace = Math.floor((summary.together.workedThroughPerSecond * 0.9) / 100) * 100;
  say(`sustained: ${pace} deliveries a second`);
  const sustained = await measureTogether(on, seconds, Math.max(100, pace));
  const verification = measureVerification();
  return { rounds: done, summary, sustained, pace, verification };
}

async function measureRound(
  on: Stage,
  peers: readonly Peer[],
  withPgbench: boolean,
): Promise<Round> {
  const bare = await measureBare(on, seconds);
  say(`  bare node:http ${Math.round(bare.perSecond)}/s`);
  const pgbench = withPgbench ? await measurePgbench(on.catchDatabaseUrl, seconds, folder) : null;
  if (pgbench !== null) say(`  pgbench ${Math.round(pgbench.perSecond)}/s`);
  const catching = await measureCatch(on.catchOnly, seconds);
  say(`  catch ${Math.round(catching.perSecond)}/s, p99 ${catching.latency.p99.toFixed(1)} ms`);
  const together = await measureTogether(on, seconds);
  const { perSecond, workedThroughPerSecond, backlog } = together;
  say(
    `  flooded: caught ${Math.round(perSecond)}/s, backlog ${backlog}, ` +
      `worked through ${Math.round(workedThroughPerSecond)}/s`,
  );
  const others: Record<string, PeerMeasurement> = {};
  for (const peer of peers) {
    const measured = await measurePeer(peer, on, seconds);
    say(`  ${peer.name} ${Math.round(measured.workedThroughPerSecond)}/s`);
    others[peer.name] = measured;
  }
  const isolation = await measureIsolation(on.whole, seconds, listPages(on));
  say(
    `  500/s: p99 ${isolation.idleP99.toFixed(1)} ms, with busy pages ${isolation.busyP99.toFixed(1)} ms`,
  );
  return { bare, pgbench, peers: others, catching, together, isolation };
}

/** The pages that users look at while deliveries arrive. */
function listPages({ whole, cookie }: Stage) {
  const { hook, server } = whole;
  const paths = [
    "/",
    "/hooks",
    `/hooks/${hook.hookId}`,
    "/deliveries",
    "/runs",
    "/runs?status=failed",
  ];
  return { urls: paths.map((path) => server.origin + path), cookie };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
