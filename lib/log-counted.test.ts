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
    const { logCounted } = await import(${JSON.stringify(modules.counted)});`;
  const args = ["--input-type=module", "-e", `${imports}\n${source}`];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("100,000 equal events of a second are one line with their count and the longest duration", () => {
  const lines = linesOf(`
    for (let n = 0; n < 100_000; n += 1) logCounted("info", "x", { hookId: "a" }, n === 5 ? 7.06 : 1);
    logCounted("info", "x", { hookId: "b" }, 1);
    process.exit(0);`);
  expect(lines).toMatchObject([
    { level: "info", event: "x", hookId: "a", durationMs: 7.1, count: 100_000 },
    { hookId: "b", count: 1 },
  ]);
  expect(lines).toHaveLength(2);
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
