import { mkdirSync, rmSync } from "node:fs";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { readVersions } from "./read-versions.ts";
import { measureCatch, measureTogether } from "./rounds.ts";
import { type Stage, setStage } from "./stage.ts";

/**
 * `npm run bench:compare -- --against FOLDER`: catching, and catching with calls, of another version
 * and this one in turns. Medians of five rounds, and this version's in relation to the other's.
 */
const rounds = 5;
const seconds = 5;

type Figures = Readonly<Record<string, number>>;

const folder = makeScratchFolder("compare");
const stages: { readonly name: string; readonly stage: Stage; readonly done: Figures[] }[] = [];
try {
  for (const [index, { name, checkout }] of readVersions().entries()) {
    const own = `${folder}/${index}`;
    for (const part of ["whole", "catch-only"]) mkdirSync(`${own}/${part}`, { recursive: true });
    stages.push({ name, stage: await setStage(own, say, checkout), done: [] });
  }
  for (const { stage } of stages) await measure(stage, 1);
  for (let round = 0; round < rounds; round += 1) {
    // Neither comes always first.
    for (const { stage, done } of round % 2 === 0 ? stages : stages.toReversed())
      done.push(await measure(stage, seconds));
  }
  show();
} finally {
  for (const { stage } of stages) await stage.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(stage: Stage, forSeconds: number): Promise<Figures> {
  const caught = await measureCatch(stage.catchOnly, forSeconds);
  const together = await measureTogether(stage, forSeconds);
  const cpu = Object.entries(together.cpuPerRequest).map(([role, us]) => [`${role}, µs`, us]);
  return {
    "caught, per second": caught.perSecond,
    "catch p99, ms": caught.latency.p99,
    "worked through, per second": together.workedThroughPerSecond,
    ...Object.fromEntries(cpu),
    "memory with shared pages once, MB": together.memory.sharedOnceMb,
  };
}

function show(): void {
  const columns = stages.map(({ done }) => done);
  const names = new Set(columns.flat().flatMap((figures) => Object.keys(figures)));
  say(`${"".padEnd(38)}${stages.map(({ name }) => name.padStart(24)).join("")}`);
  for (const name of names) {
    const medians = columns.map((done) => median(done.map((figures) => figures[name] ?? 0)));
    const [first = 0] = medians;
    const ratio = medians.length > 1 ? `   ×${((medians.at(-1) ?? 0) / first).toFixed(2)}` : "";
    say(`${name.padEnd(38)}${medians.map((one) => one.toFixed(1).padStart(24)).join("")}${ratio}`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
