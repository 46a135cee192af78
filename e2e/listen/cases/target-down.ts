import { check, sayMore } from "#e2e/crash/say-verdicts.ts";
import { findOutOfOrder, readHanded, sendNumbers, waitForNumbers } from "../parts/numbers.ts";
import { startPlace } from "../parts/place.ts";

/** (g) A target that responds with 500 forever ends it with 16, and the next start begins there. */
export async function proveTargetDown({ folder }: { readonly folder: string }): Promise<void> {
  const place = await startPlace({ folder });
  try {
    const { target } = place;
    const { catchUrl } = await place.makeHook({ name: "down" });
    const send = (from: number) =>
      sendNumbers({ catchUrl, tag: "down", from, count: 10, ratePerSecond: 100 });
    const first = place.listen(["down"]);
    await first.until("ready");
    await send(0);
    await waitForNumbers(target, { down: 10 }, 30_000);
    target.status = 500;
    const brokenAt = performance.now();
    await send(10);
    const code = await first.ended;
    const heldMs = performance.now() - brokenAt;
    const held = first.said.filter(({ type }) => type === "held");
    sayMore(`held ${held.length} times, ended after ${(heldMs / 1_000).toFixed(0)} s`);
    check(code === 16, `it ends with 16, and says: ${first.errors().trim().split("\n").at(-1)}`);
    const names = new Set(held.map(({ deliveryId }) => deliveryId));
    check(names.size === 1, "only one delivery was tried, and no later one");
    target.status = 200;
    const second = place.listen(["down"]);
    const missing = await waitForNumbers(target, { down: 20 }, 30_000);
    check(missing.length === 0, "the next start gets all", missing);
    const begins = readHanded(target)[10]?.n;
    check(begins === 10, `it begins with that delivery: number ${begins}`);
    const wrong = findOutOfOrder(target);
    check(wrong.length === 0, "and all come in order", wrong);
    second.process.kill("SIGINT");
    check((await second.ended) === 0, "it ends with 0");
  } finally {
    await place.stop();
  }
}
