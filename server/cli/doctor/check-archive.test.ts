import { expect, test } from "vitest";
import { evaluateArchive } from "./check-archive.ts";

test.each([
  [null, 0, "ok", "Weeks are archived in s3://weeks, and none waits."],
  [null, 1, "error", "1 week is past retention"],
  [null, 3, "error", "3 weeks are past retention"],
  ["The archive's folder can't be written.", 0, "error", "can't be written"],
] as const)(
  "an archive with the trouble %j and %i weeks waiting is %s",
  (trouble, waiting, level, text) => {
    const result = evaluateArchive(trouble, waiting, "s3://weeks");
    expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
    expect(result.change === null).toBe(level === "ok");
  },
);
