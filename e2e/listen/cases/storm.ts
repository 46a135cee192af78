import { setTimeout as delay } from "node:timers/promises";
import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import { countRepeats, findOutOfOrder, sendNumbers, waitForNumbers } from "../parts/numbers.ts";
import { startPlace } from "../parts/place.ts";

type Storm = { readonly folder: string; readonly isQuick: boolean };

const hookCount = 10;

/**
 * (a) The network drops every 2 s, the process is stopped for a minute, and the server is killed twice
 * with its database, while 10,000 deliveries arrive.
 */
export async function proveStorm({ folder, isQuick }: Storm): Promise<void> {
  const [each, ratePerSecond, stoppedMs] = isQuick ? [60, 60, 8_000] : [1_000, 200, 60_000];
  const place = await startPlace({ folder });
  try {
    const names = Array.from({ length: hookCount }, (_, number) => `h${number}`);
    const hooks = await Promise.all(names.map((name) => place.makeHook({ name })));
    const command = place.listen([...names, "--name", "storm"]);
    await command.until("ready");
    const startedAt = performance.now();
    const rate = ratePerSecond / hookCount;
    const sending = Promise.all(
      hooks.map(({ catchUrl, name }) =>
        sendNumbers({ catchUrl, tag: name, count: each, ratePerSecond: rate }),
      ),
    );
    const drops = setInterval(() => place.network.cut(), 2_000);
    await delay(isQuick ? 2_000 : 8_000);
    await place.killServer();
    sayMore(`killed and started again after ${seconds(startedAt)}`);
    await delay(isQuick ? 1_000 : 12_000);
    command.process.kill("SIGSTOP");
    const whileStopped = delay(stoppedMs);
    await place.killServer();
    sayMore(`killed again while the process was stopped, and started after ${seconds(startedAt)}`);
    await whileStopped;
    command.process.kill("SIGCONT");
    await sending;
    sayMore(`all acknowledged after ${seconds(startedAt)}`);
    const wanted = Object.fromEntries(names.map((name) => [name, each]));
    const missing = await waitForNumbers(place.target, wanted, 300_000);
    clearInterval(drops);
    const backs = command.said.filter(({ type }) => type === "back").length;
    sayMore(
      `${place.target.handed.length} handed over after ${seconds(startedAt)}: ` +
        `${countRepeats(place.target)} came again, and it was back ${backs} times`,
    );
    check(missing.length === 0, `none of ${each * hookCount} deliveries is missing`, missing);
    const wrong = findOutOfOrder(place.target);
    check(wrong.length === 0, "each hook's came in its order", wrong);
    check(command.process.exitCode === null, "the process goes on");
  } finally {
    await place.stop();
  }
}

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
}
