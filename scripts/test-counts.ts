import { z } from "zod";

export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and why, for the end of a long output. */
  readonly failures?: readonly string[];
};

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** A file that could not be loaded has no tests. It counts as one failure. */
export function countVitest(json: string): Counts {
  const report = vitestReport.parse(JSON.parse(json));
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...broken.map(({ name, message }) => `${name}: ${message}`),
      ...report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map((test) => `${name}: ${test.fullName}\n${test.failureMessages?.join("\n") ?? ""}`),
      ),
    ],
  };
}

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
});

/**
 * A flaky test failed once and passed the second time, which only happens on CI. Playwright's own
 * report names it.
 */
export function countPlaywright(json: string): Counts {
  const { stats } = playwrightReport.parse(JSON.parse(json));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** A script of ours, which ends with a line `N passed, N failed`. */
export function countClosingLine(output: string): Counts {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passed === undefined || failed === undefined) throw new Error("There is no closing line");
  return { passed: Number(passed), failed: Number(failed), skipped: 0 };
}
