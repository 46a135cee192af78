import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { processStop } from "#lib/base/stopping.ts";
import { runRole } from "#server/supervise/run-role.ts";

/** A role that only records what happens to it, for the supervisor's tests. */
const journal = process.env.FIXTURE_JOURNAL ?? "";
const name = process.env.FIXTURE_NAME ?? "";

function note(what: string): void {
  appendFileSync(journal, `${name} ${what} ${process.pid}\n`);
}

await runRole(name, async ({ sleep, wake }) => {
  if (process.env.FIXTURE_FAILS === "yes") throw new Error("the fixture fails");
  const work = setInterval(() => {}, 1_000);
  note("started");
  if (process.env.FIXTURE_LISTENS === "yes")
    processStop().signal.addEventListener("abort", () => note("told"));
  if (existsSync(`${journal}.stuck`)) await new Promise(() => {});
  if (process.env.FIXTURE_SLOW_MS !== undefined) {
    await delay(Number(process.env.FIXTURE_SLOW_MS));
    note("was slow");
  }
  if (process.env.FIXTURE_SLEEPS === "yes") setTimeout(() => sleep?.(), 50);
  if (process.env.FIXTURE_WAKES !== undefined)
    setInterval(wake, 50, process.env.FIXTURE_WAKES).unref();
  return {
    async stop() {
      if (process.env.FIXTURE_HANGS === "yes") await new Promise(() => {});
      clearInterval(work);
      note("stopped");
    },
  };
});
