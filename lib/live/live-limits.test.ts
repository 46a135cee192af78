import { expect, test } from "vitest";
import { LiveLimits, maxLiveLists } from "./live-limits.ts";

const { session: perSession, account: perAccount } = maxLiveLists;

test("a session has a limit, and room again once one of its lists is closed, however often it is told", () => {
  const limits = new LiveLimits();
  const viewer = { sessionId: "s", accountId: "a" };
  const opened = Array.from({ length: perSession }, () => limits.open(viewer));
  expect(opened.every((close) => typeof close === "function")).toBe(true);
  expect(limits.open(viewer)).toBe("session");
  const [first] = opened;
  if (typeof first === "function") {
    first();
    first();
  }
  expect(typeof limits.open(viewer)).toBe("function");
  expect(limits.open(viewer)).toBe("session");
});

test("many sessions of an account share its limit, and other accounts have their own", () => {
  const limits = new LiveLimits();
  const open = (index: number, accountId: string) =>
    limits.open({ sessionId: `${accountId}${Math.floor(index / perSession)}`, accountId });
  for (let index = 0; index < perAccount; index += 1)
    expect(typeof open(index, "a")).toBe("function");
  expect(limits.open({ sessionId: "new", accountId: "a" })).toBe("account");
  expect(typeof limits.open({ sessionId: "new", accountId: "b" })).toBe("function");
});
