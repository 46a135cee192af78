import { setTimeout as delay } from "node:timers/promises";
import { makeConfigFolder, type RunningCommand, startCommand } from "#e2e/cli/command-line.ts";
import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import { makeAccount } from "#e2e/harness/make-account.ts";
import { createThroughApi } from "#e2e/harness/post-to-api.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { startCountingProxy } from "../parts/networks.ts";

type Crowd = { readonly folder: string; readonly listeners: number };

/** An account may have 100 streams. */
const perAccount = 100;
/** Programs that start at the same time: each takes a third of a second of a core. */
const starting = 8;
const maxBackMs = 60_000;
const maxPeak = 4;

/** (f) All listeners come back after the server is restarted, and not all at once. */
export async function proveCrowd({ folder, listeners }: Crowd): Promise<void> {
  const access = makeAccess();
  const port = await findFreePort();
  const start = () => startServer({ folder, port }, access);
  let server = await start();
  const proxy = await startCountingProxy(server.origin);
  const commands: RunningCommand[] = [];
  try {
    const accounts = Math.ceil(listeners / perAccount);
    const tokens: string[] = [];
    for (let number = 0; number < accounts; number += 1) {
      const { apiToken } = await makeAccount(server.databaseUrl(), `crowd-${number}`, "Crowd");
      await createThroughApi({ origin: server.origin, apiToken }, "/api/v1/hooks", { name: "h" });
      tokens.push(apiToken);
    }
    const folderOfAll = makeConfigFolder();
    for (let from = 0; from < listeners; from += starting) {
      const some = Array.from({ length: Math.min(starting, listeners - from) }, (_, index) => {
        const number = from + index;
        const token = tokens[number % accounts] ?? "";
        const env = { CATCHMENT_URL: proxy.origin, CATCHMENT_TOKEN: token };
        const args = ["listen", "h", "--to", "9", "--name", `n${number}`];
        return startCommand(args, { env, folder: folderOfAll });
      });
      commands.push(...some);
      await Promise.all(some.map((command) => command.until("ready", 1, 180_000)));
    }
    sayMore(`${commands.length} listen`);
    await delay(2_000);
    const stoppedAt = Date.now();
    await server.stop();
    server = await start();
    const startedAt = Date.now();
    sayMore(`the server was away for ${((startedAt - stoppedAt) / 1_000).toFixed(1)} s`);
    const backs = () => commands.filter(({ said }) => said.some(({ type }) => type === "back"));
    while (backs().length < listeners && Date.now() - startedAt < 2 * maxBackMs) await delay(200);
    const backMs = Date.now() - startedAt;
    const isBack = backs().length === listeners;
    const what = `${backs().length} of ${listeners} are back ${(backMs / 1_000).toFixed(1)} s after it was`;
    check(isBack && backMs <= maxBackMs, what);
    const attempts = proxy.attempts.filter((at) => at >= stoppedAt && at <= startedAt + backMs);
    const { peak, average } = countBySecond(attempts);
    sayMore(
      `${attempts.length} attempts: ${average.toFixed(1)} a second on average, ${peak} at most`,
    );
    check(peak <= maxPeak * average, `no second had over ${maxPeak} × the average`);
  } finally {
    for (const { process: child } of commands) child.kill("SIGKILL");
    proxy.stop();
    await server.stop();
  }
}

/** From the first attempt to the last. */
function countBySecond(attempts: readonly number[]) {
  const first = attempts[0] ?? 0;
  const counts = new Map<number, number>();
  for (const at of attempts) {
    const second = Math.floor((at - first) / 1_000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  const seconds = Math.max(1, ...counts.keys()) + 1;
  return { peak: Math.max(0, ...counts.values()), average: attempts.length / seconds };
}
