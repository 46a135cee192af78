import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withTimeLimit } from "./with-time-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});

test("work in time settles as it is and leaves no timer", async () => {
  await expect(withTimeLimit(Promise.resolve(1), 100, () => 2)).resolves.toBe(1);
  const failed = Promise.reject(new Error("failed"));
  await expect(withTimeLimit(failed, 100, () => 2)).rejects.toThrow("failed");
  expect(vi.getTimerCount()).toBe(0);
});

test("late work settles as `onLate` says", async () => {
  const answered = withTimeLimit(never, 100, () => "late");
  const refused = withTimeLimit(never, 100, () => {
    throw new Error("too late");
  });
  const both = Promise.allSettled([answered, refused]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await both).toMatchObject([
    { status: "fulfilled", value: "late" },
    { status: "rejected", reason: { message: "too late" } },
  ]);
});

test("an error after the limit is ignored", async () => {
  const work = Promise.withResolvers<never>();
  const answered = withTimeLimit(work.promise, 100, () => "late");
  await vi.advanceTimersByTimeAsync(100);
  work.reject(new Error("failed"));
  await expect(answered).resolves.toBe("late");
});
