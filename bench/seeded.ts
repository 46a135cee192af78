import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { startSink } from "#e2e/harness/start-sink.ts";
import type { BenchOptions } from "./options.ts";
import { figuresOfBudget } from "./outcome/budget.ts";
import { describeComparison, type Figures } from "./outcome/results.ts";
import { alternate } from "./rounds/alternate.ts";
import { measureCatchToCall } from "./rounds/catch-to-call.ts";
import { measureCatch, measureTogether, untilDone } from "./rounds/rounds.ts";
import { fillFolder, folderAccess } from "./stage/filled-folder.ts";
import { type SmallStage, setSmallStage } from "./stage/stage.ts";

type Say = (line: string) => void;

/**
 * `npm run bench -- --seeded 10000000 [--open 1000000] [--keys 100000000] [--memory 1G]`: measures an
 * empty database and one with a long history in turns. The open runs are due all the time, and their
 * receiver never responds.
 *
 * @returns the figures of the full one
 */
export async function measureSeeded(
  { seeded, open, keys, memoryBytes, folder: kept, rounds, seconds, shape }: BenchOptions,
  folder: string,
  say: Say,
): Promise<{ figures: Figures; details: unknown }> {
  const own = { log: say, shape, memoryBytes, env: keepAll };
  const write = (count: number) => count.toLocaleString("en");
  const setEmpty = () => {
    mkdirSync(`${folder}/empty/whole`, { recursive: true });
    return setSmallStage({ folder: `${folder}/empty`, ...own });
  };
  const setFull = async (): Promise<SmallStage> => {
    const full = resolve(kept ?? `${folder}/full`);
    mkdirSync(`${full}/whole`, { recursive: true });
    const hanging = await startSink({ delayMs: 3_600_000 });
    try {
      const [openUrl, hooks] = [hanging.url, 500];
      await fillFolder({ folder: `${full}/whole`, count: seeded, hooks, open, openUrl, keys, say });
      const stage = await setSmallStage({ folder: full, access: folderAccess, ...own });
      const stop = async () => {
        await stage.stop();
        hanging.stop();
      };
      return { ...stage, stop };
    } catch (error) {
      hanging.stop();
      throw error;
    }
  };
  const columns = await alternate({
    variants: [
      { name: "empty", set: setEmpty },
      {
        name: `${write(seeded)} stored, ${write(open)} open, ${write(keys)} keys`,
        set: setFull,
      },
    ],
    rounds,
    seconds,
    measure,
    say,
  });
  say(`\n${describeComparison(columns)}`);
  return { figures: columns.at(-1)?.figures ?? {}, details: columns };
}

/** Keys are older than what is kept by default, and deleting them isn't measured. */
const keepAll = { CATCHMENT_RETENTION_DAYS: "0", CATCHMENT_REJECTED_RETENTION_DAYS: "0" };

async function measure({ whole, sink }: SmallStage, seconds: number): Promise<Figures> {
  // Its runs are queued as always, but the worker leaves them for later.
  await setPaused(true);
  const caught = await measureCatch(whole, seconds);
  await setPaused(false);
  await untilDone(whole);
  const together = await measureTogether({ whole, sink }, seconds);
  const wait = await measureCatchToCall(whole, seconds, 200);
  return {
    "catch, per second": caught.perSecond,
    "catch p99, ms": caught.latency.p99,
    "worked through, per second": together.workedThroughPerSecond,
    "catch to call p50 at 200/s, ms": wait.p50,
    "catch to call p95 at 200/s, ms": wait.p95,
    ...figuresOfBudget(together.budget),
  };

  async function setPaused(isPaused: boolean): Promise<void> {
    const { origin, apiToken } = whole.server;
    const path = `/api/v1/hooks/${whole.hook.hookId}/${isPaused ? "pause" : "resume"}`;
    const headers = { authorization: `Bearer ${apiToken}` };
    const response = await fetch(new URL(path, origin), { method: "POST", headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}
