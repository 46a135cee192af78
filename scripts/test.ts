import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Checked, runChecked } from "./run-checked.ts";
import { type Counts, countClosingLine, countPlaywright, countVitest } from "./test-counts.ts";

/**
 * `npm test`: builds, then runs the end-to-end tests, and beside both the unit and database tests and
 * then the crash ledger, so that no core is idle while one of them waits. A line for each part, the
 * whole output of one that failed, and a line with the total. `npm run test:variants` runs the tests
 * with the tag `variant`, which `npm test` leaves out, and the long crash ledger.
 */
const isVariant = process.argv.includes("--variants");
// Vitest, Playwright, and the servers that tests start load the same modules many times.
process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), "node_modules/.cache/compile");
const reports = mkdtempSync(join(tmpdir(), "catchment-reports-"));

const building = build();
const vitest = runPart("Unit and database tests", runVitest);
const parts = await Promise.all([
  vitest,
  ifBuilt("Browser tests", runPlaywright),
  // Its promises in seconds are measured, so it runs beside one other part, not two.
  vitest.then(() => ifBuilt("Crash ledger", runCrash)),
]);
rmSync(reports, { recursive: true, force: true });

const sum = (what: "passed" | "failed" | "skipped") =>
  parts.reduce((total, counts) => total + counts[what], 0);
if (sum("skipped") > 0) process.stdout.write(`${sum("skipped")} skipped\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** Does what `pretest` left to do, and says what failed. */
async function build(): Promise<boolean> {
  const args = ["scripts/setup.mjs", "--test", "--build"];
  return (await runChecked("node", args, { show: true })).code === 0;
}

type Part = { readonly run: Checked; count(): Counts };

async function ifBuilt(title: string, start: () => Promise<Part>): Promise<Counts> {
  if (await building) return await runPart(title, start);
  process.stdout.write(`  ✗ ${title}: not run, because the build failed\n`);
  return { passed: 0, failed: 1, skipped: 0 };
}

async function runPart(title: string, start: () => Promise<Part>): Promise<Counts> {
  process.stdout.write(`  … ${title}\n`);
  const { run, count } = await start();
  const counts = withCode(run.code, count);
  const isGood = counts.failed === 0;
  const failed = isGood ? "" : `, ${counts.failed} failed`;
  process.stdout.write(
    `  ${isGood ? "✓" : "✗"} ${title}: ${counts.passed} passed${failed} (${run.seconds} s)\n`,
  );
  if (!isGood) process.stdout.write(`\n── ${title}\n${run.output.trim()}\n\n`);
  return counts;
}

async function runVitest(): Promise<Part> {
  const report = join(reports, "vitest.json");
  // What tests print is shown if they fail.
  const says = ["--reporter=minimal", "--silent=passed-only"];
  const reporters = [...says, "--reporter=json", `--outputFile.json=${report}`];
  const chosen = isVariant
    ? ["--tagsFilter=variant", ...listVariants()]
    : ["--tagsFilter=!variant"];
  // Tests mostly wait, so two cores can run this many beside those of the browser.
  const workers = "--maxWorkers=3";
  const run = await runChecked("vitest", ["run", workers, ...chosen, ...reporters]);
  return { run, count: () => countVitest(readFileSync(report, "utf8"), isVariant) };
}

/** The files with variants. The others would only be loaded. */
function listVariants(): readonly string[] {
  return globSync("{app,components,lib,scripts,server}/**/*.test.{ts,tsx}").filter((path) =>
    readFileSync(path, "utf8").includes('tags: "variant"'),
  );
}

async function runPlaywright(): Promise<Part> {
  const report = join(reports, "e2e.json");
  const tag = isVariant ? "--grep=@variant" : "--grep-invert=@variant";
  const run = await runChecked("playwright", ["test", tag, "--reporter=dot,json"], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return { run, count: () => countPlaywright(readFileSync(report, "utf8")) };
}

/** Kills the server under load. Mutants that lose deliveries must be caught. */
async function runCrash(): Promise<Part> {
  const run = await runChecked("node", ["e2e/crash/run.ts", ...(isVariant ? [] : ["--quick"])]);
  return { run, count: () => countClosingLine(run.output) };
}

/**
 * A runner that exits with an error but without a failed test (broken setup, an error between
 * tests) counts as one failure.
 */
function withCode(code: number, count: () => Counts): Counts {
  const counts = readCounts(count);
  if (code === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1 };
}

function readCounts(count: () => Counts): Counts {
  try {
    return count();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
