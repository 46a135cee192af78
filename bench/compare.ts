import { mkdirSync, rmSync } from "node:fs";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { figuresOfBudget } from "./outcome/budget.ts";
import { describeComparison, type Figures } from "./outcome/results.ts";
import { readRounds, readVersions } from "./read-versions.ts";
import { alternate } from "./rounds/alternate.ts";
import { measureCatch, measureTogether } from "./rounds/rounds.ts";
import { type Stage, setStage } from "./stage/stage.ts";

/**
 * `npm run bench:compare -- --against FOLDER [--rounds 5]`: catching, and catching with calls, of
 * another version and this one in turns. Medians of the rounds, and this version's in relation to the
 * other's. Single rounds differ by 10 %, so a difference of 3 % needs about 20.
 */
const shape = { actions: 1, bodyBytes: 450 };
const folder = makeScratchFolder("compare");
try {
  const variants = readVersions().map(({ name, checkout }, index) => ({
    name,
    set: () => {
      const own = `${folder}/${index}`;
      for (const part of ["whole", "catch-only"]) mkdirSync(`${own}/${part}`, { recursive: true });
      return setStage({ folder: own, log: say, shape, checkout });
    },
  }));
  const rounds = readRounds();
  say(describeComparison(await alternate({ variants, rounds, seconds: 5, measure, say })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(stage: Stage, seconds: number): Promise<Figures> {
  const caught = await measureCatch(stage.catchOnly, seconds);
  const together = await measureTogether(stage, seconds);
  return {
    "catch, per second": caught.perSecond,
    "catch p99, ms": caught.latency.p99,
    "worked through, per second": together.workedThroughPerSecond,
    ...figuresOfBudget(together.budget),
    "memory, dashboard asleep, MB": together.memory.sharedOnceMb,
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
