import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const modules = {
  log: new URL("log.ts", import.meta.url).href,
  counted: new URL("log-counted.ts", import.meta.url).href,
};

/** The output of a process that runs this and ends. */
function linesOf(source: string): readonly Record<string, unknown>[] {
  const imports = `
    const { flushLog } = await import(${JSON.stringify(modules.log)});
    const { logCounted, logSeldom } = await import(${JSON.stringify(modules.counted)});`;
  const args = ["--input-type=module", "-e", `${imports}\n${source}`];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("100,000 equal events of a second are one line with their count and the longest duration", () => {
  const lines = linesOf(`
    for (let n = 0; n < 100_000; n += 1) logCounted("info", "x", { hookId: "a" }, { durationMs: n === 5 ? 7.06 : 1 });
    logCounted("info", "x", { hookId: "b" }, { durationMs: 1 });
    process.exit(0);`);
  expect(lines).toMatchObject([
    { level: "info", event: "x", hookId: "a", durationMs: 7.1, count: 100_000 },
    { hookId: "b", count: 1 },
  ]);
  expect(lines).toHaveLength(2);
});

test("what differs from one to the next is shown once, and makes no lines of its own", () => {
  const lines = linesOf(`
    for (let n = 0; n < 1_000; n += 1)
      logCounted("error", "x", { code: "A" }, { example: { error: "text " + n } });
    process.exit(0);`);
  expect(lines).toMatchObject([{ code: "A", error: "text 0", count: 1_000 }]);
});

test("each second has its own lines, written without waiting for the end", () => {
  const lines = linesOf(`
    logCounted("warn", "x", {});
    setTimeout(() => {
      logCounted("warn", "x", {});
      logCounted("warn", "x", {});
      process.exit(0);
    }, 1_200);`);
  expect(lines.map(({ count }) => count).toSorted()).toEqual([1, 2]);
});

test("a client that varies what is logged gets a hundred lines, and the rest is one count", () => {
  const lines = linesOf(`
    for (let n = 0; n < 5_000; n += 1) logCounted("warn", "x", { address: String(n) });
    process.exit(0);`);
  expect(lines).toHaveLength(101);
  const summary = lines.find(({ isSummary }) => isSummary === true);
  expect(summary).toMatchObject({ event: "x", count: 4_900 });
});

test("what repeats while something lasts is logged at once, and then once a minute with its count", () => {
  const lines = linesOf(`
    const { mock } = await import("node:test");
    mock.timers.enable({ apis: ["setTimeout"] });
    for (let second = 0; second < 150; second += 1) {
      for (let n = 0; n < 13; n += 1) logSeldom("warn", "x", { kind: "a" });
      if (second === 0) logSeldom("warn", "x", { kind: "b" });
      mock.timers.tick(1_000);
    }
    mock.timers.tick(60_000);
    logSeldom("warn", "x", { kind: "b" });
    process.exit(0);`);
  // Sorted: what is on its way while the process ends can come behind what is written last.
  const countsOf = (wanted: string) =>
    lines
      .filter(({ kind }) => kind === wanted)
      .map(({ count }) => Number(count))
      .toSorted((a, b) => a - b);
  expect(countsOf("a")).toEqual([1, 13 * 30, 13 * 60 - 1, 13 * 60]);
  expect(countsOf("b")).toEqual([1, 1]);
});
