import { mkdirSync, rmSync } from "node:fs";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { figuresOfBudget } from "./outcome/budget.ts";
import { describeComparison, type Figures } from "./outcome/results.ts";
import { metricsToken, readRounds, readVersions } from "./read-versions.ts";
import { alternate } from "./rounds/alternate.ts";
import { measureCatch, measureTogether } from "./rounds/rounds.ts";
import { type Stage, setStage } from "./stage/stage.ts";

/**
 * `npm run bench:compare -- --against FOLDER [--rounds 5]`: catching, and catching with calls, of
 * another version and this one in turns. `--metrics` instead: without metrics and with them, which
 * are read every second. Medians of the rounds, and this version's in relation to the
 * other's. Single rounds differ by 10 %, so a difference of 3 % needs about 20.
 */
const shape = { actions: 1, bodyBytes: 450 };
const folder = makeScratchFolder("compare");
try {
  const variants = readVersions().map(({ name, checkout, env }, index) => ({
    name,
    set: () => {
      const own = `${folder}/${index}`;
      for (const part of ["whole", "catch-only"]) mkdirSync(`${own}/${part}`, { recursive: true });
      return setStage({ folder: own, log: say, shape, checkout, env });
    },
  }));
  const rounds = readRounds();
  say(describeComparison(await alternate({ variants, rounds, seconds: 5, measure, say })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(stage: Stage, seconds: number): Promise<Figures> {
  const stopScraping = scrape([stage.catchOnly.port, stage.whole.port]);
  const caught = await measureCatch(stage.catchOnly, seconds);
  const together = await measureTogether(stage, seconds);
  stopScraping();
  return {
    "catch, per second": caught.perSecond,
    "catch p99, ms": caught.latency.p99,
    "worked through, per second": together.workedThroughPerSecond,
    ...figuresOfBudget(together.budget),
    "memory, dashboard asleep, MB": together.memory.sharedOnceMb,
  };
}

/** Reads metrics more often than Prometheus does. */
function scrape(ports: readonly number[]): () => void {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const timer = setInterval(() => {
    for (const port of ports)
      void fetch(`http://127.0.0.1:${port}/metrics`, { headers })
        .then((response) => response.text())
        .catch(() => {});
  }, 1_000);
  return () => clearInterval(timer);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
