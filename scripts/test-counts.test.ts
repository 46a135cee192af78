import { expect, test } from "vitest";
import { countVitest } from "./test-counts.ts";

const file = { name: "a.test.ts", status: "passed", message: "", assertionResults: [] };
const passed = { status: "passed", fullName: "a", tags: [] };
const skipped = { status: "skipped", fullName: "b", tags: [] };
const failed = { status: "failed", fullName: "c", tags: [], failureMessages: ["1 is not 2"] };

function count(...testResults: readonly object[]) {
  return countVitest(JSON.stringify({ numPassedTests: 1, numFailedTests: 0, testResults }), false);
}

test("a file that could not be loaded counts as one failure", () => {
  const counts = count({ ...file, status: "failed", message: "No such file" });
  expect(counts).toMatchObject({ failed: 1, failures: ["a.test.ts: No such file"] });
});

test("a file whose beforeAll failed counts as one failure, with its reason", () => {
  const counts = count({
    ...file,
    status: "failed",
    message: "The database is away",
    assertionResults: [skipped],
  });
  expect(counts).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ["a.test.ts: The database is away"],
  });
});

test("a file with a failed test counts only that test", () => {
  const counts = countVitest(
    JSON.stringify({
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [{ ...file, status: "failed", assertionResults: [passed, failed] }],
    }),
    false,
  );
  expect(counts).toMatchObject({ failed: 1, failures: ["a.test.ts: c\n1 is not 2"] });
});
