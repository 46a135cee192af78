import { expect, test } from "vitest";
import { describeBulk } from "./describe-bulk.ts";

test("says what happens to how many of which", () => {
  const failed = { kind: "retry", status: "failed", actionName: "Send receipt" } as const;
  expect(describeBulk(failed, 1_243)).toBe("Retry 1,243 failed runs of “Send receipt”");
  expect(describeBulk({ ...failed, actionName: null }, 1)).toBe("Retry 1 failed run");
  expect(describeBulk({ kind: "cancel", status: "queued", actionName: null }, null)).toBe(
    "Cancel more than 100,000 queued runs",
  );
});
