import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Checked, runChecked } from "./run-checked.ts";
import { type Counts, countClosingLine, countPlaywright, countVitest } from "./test-counts.ts";

/**
 * `npm test`: unit and database tests side by side, then end-to-end and crash tests, and one line
 * with the total. `npm run test:variants` runs the tests with the tag `variant`, which `npm test`
 * leaves out, and the long crash ledger.
 */
const isVariant = process.argv.includes("--variants");
// Vitest, Playwright, and the servers that tests start load the same modules many times.
process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), "node_modules/.cache/compile");
const reports = mkdtempSync(join(tmpdir(), "catchment-reports-"));

const totals = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
add(await runVitest());
add(await runPlaywright());
add(await runCrash());
rmSync(reports, { recursive: true, force: true });

for (const failure of failures) process.stdout.write(`\nFailed: ${failure.slice(0, 4_000)}\n`);
if (totals.skipped > 0) process.stdout.write(`${totals.skipped} skipped\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runVitest(): Promise<Counts> {
  const report = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = isVariant
    ? ["--tagsFilter=variant", ...listVariants()]
    : ["--tagsFilter=!variant"];
  const run = await runChecked("vitest", ["run", ...chosen, ...reporters], { show: true });
  return withCode("Vitest", run, () => countVitest(readFileSync(report, "utf8"), isVariant));
}

/** The files with variants. The others would only be loaded. */
function listVariants(): readonly string[] {
  return globSync("{app,components,lib,scripts,server}/**/*.test.{ts,tsx}").filter((path) =>
    readFileSync(path, "utf8").includes('tags: "variant"'),
  );
}

async function runPlaywright(): Promise<Counts> {
  const report = join(reports, "e2e.json");
  const tag = isVariant ? "--grep=@variant" : "--grep-invert=@variant";
  const run = await runChecked("playwright", ["test", tag, "--reporter=list,json"], {
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return withCode("Playwright", run, () => countPlaywright(readFileSync(report, "utf8")));
}

/** Kills the server under load. Mutants that lose deliveries must be caught. */
async function runCrash(): Promise<Counts> {
  const run = await runChecked("node", ["e2e/crash/run.ts", ...(isVariant ? [] : ["--quick"])]);
  process.stdout.write(`\n${run.output}`);
  return withCode("The crash ledger", run, () => countClosingLine(run.output));
}

/**
 * A runner that exits with an error but without a failed test (broken setup, an error between
 * tests) counts as one failure. The end of its output says why.
 */
function withCode(runner: string, { code, output }: Checked, count: () => Counts): Counts {
  const counts = readCounts(count);
  if (code === 0 || counts.failed > 0) return counts;
  const failure = `${runner} exited with code ${code}. Its output ends with:\n${output.slice(-3_800)}`;
  return { ...counts, failed: 1, failures: [failure] };
}

function readCounts(count: () => Counts): Counts {
  try {
    return count();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function add(counts: Counts): void {
  totals.passed += counts.passed;
  totals.failed += counts.failed;
  totals.skipped += counts.skipped;
  failures.push(...(counts.failures ?? []));
}
