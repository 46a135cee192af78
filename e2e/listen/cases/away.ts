import { setTimeout as delay } from "node:timers/promises";
import type { RunningCommand } from "#e2e/cli/command-line.ts";
import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import { findOutOfOrder, sendNumbers, waitForNumbers } from "../parts/numbers.ts";
import { startPlace } from "../parts/place.ts";

type Away = { readonly folder: string; readonly isQuick: boolean };

/** (b) A process that was stopped, and one without a network, get all that they missed by themselves. */
export async function proveAway({ folder, isQuick }: Away): Promise<void> {
  const [stoppedMs, lostMs] = isQuick ? [35_000, 20_000] : [60_000, 300_000];
  const place = await startPlace({ folder });
  try {
    const { catchUrl } = await place.makeHook({ name: "away" });
    const command = place.listen(["away"]);
    await command.until("ready");
    const send = (from: number) =>
      sendNumbers({ catchUrl, tag: "away", from, count: 100, ratePerSecond: 50 });
    await send(0);
    await waitForNumbers(place.target, { away: 100 }, 30_000);

    command.process.kill("SIGSTOP");
    await Promise.all([send(100), delay(stoppedMs)]);
    let said = command.said.length;
    command.process.kill("SIGCONT");
    await expectAll("the process was stopped", 200);
    checkFirstLine(command, said, stoppedMs);

    place.network.cut(true);
    await command.until("lost", 1, 60_000).catch(() => {});
    await Promise.all([send(200), delay(lostMs)]);
    said = command.said.length;
    place.network.restore();
    await expectAll("there was no network", 300);
    checkFirstLine(command, said, lostMs);
    const wrong = findOutOfOrder(place.target);
    check(wrong.length === 0, "all came in order", wrong);

    async function expectAll(what: string, count: number): Promise<void> {
      const backAt = performance.now();
      const missing = await waitForNumbers(place.target, { away: count }, 60_000);
      const tookMs = performance.now() - backAt;
      sayMore(`${what}: all was there ${(tookMs / 1_000).toFixed(1)} s afterwards`);
      check(missing.length === 0, `nothing is missing after ${what}`, missing);
    }
  } finally {
    await place.stop();
  }
}

/** Before any delivery, it says for how long it was away. Its clock begins with the last that it heard. */
function checkFirstLine({ said }: RunningCommand, from: number, awayMs: number): void {
  const first = said.slice(from).find(({ type }) => type !== "lost");
  const awaySeconds = Number(first?.awaySeconds);
  const isRight = first?.type === "back" && Math.abs(awaySeconds - awayMs / 1_000) <= 40;
  const isEnough = awaySeconds >= awayMs / 1_000 - 1;
  check(isRight && isEnough, `the first line says how long: ${JSON.stringify(first)}`);
}
