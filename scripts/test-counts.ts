import { z } from "zod";

export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failures and their reasons, for the end of a long output. */
  readonly failures?: readonly string[];
};

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          tags: z.array(z.string()),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/**
 * A file that could not be loaded has no tests, and one whose `beforeAll` failed has only skipped
 * ones. Each counts as one failure. A test that the run's tags leave out isn't skipped.
 */
export function countVitest(json: string, isVariant: boolean): Counts {
  const report = vitestReport.parse(JSON.parse(json));
  const broken = report.testResults.filter(
    (file) =>
      file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  );
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(
    ({ status, tags }) =>
      status !== "passed" && status !== "failed" && tags.includes("variant") === isVariant,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: skipped.length,
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
    skipped: z.number(),
  }),
});

export function countPlaywright(json: string): Counts {
  const { stats } = playwrightReport.parse(JSON.parse(json));
  return { passed: stats.expected, failed: stats.unexpected, skipped: stats.skipped };
}

/** Counts the tests of our own scripts, whose output ends with a line `N passed, N failed`. */
export function countClosingLine(output: string): Counts {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passed === undefined || failed === undefined) throw new Error("There is no closing line");
  return { passed: Number(passed), failed: Number(failed), skipped: 0 };
}
