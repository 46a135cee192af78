import { expect, it } from "vitest";
import { goShortcuts, readKeys } from "./shortcuts.ts";

it("every shortcut leads to its page, and no two begin alike", () => {
  for (const { keys, href } of goShortcuts) expect(readKeys(keys)).toEqual({ kind: "go", href });
  const spelled = goShortcuts.map(({ keys }) => keys.join(" "));
  expect(
    spelled.filter((one) => spelled.some((other) => other !== one && other.startsWith(one))),
  ).toEqual([]);
});

it("the first of two keys waits for the second", () => {
  expect(readKeys(["g"])).toEqual({ kind: "wait" });
});

it("a key that means nothing is forgotten, unless it begins another shortcut", () => {
  expect(readKeys(["x"])).toEqual({ kind: "none" });
  expect(readKeys(["g", "x"])).toEqual({ kind: "none" });
  expect(readKeys(["g", "g"])).toEqual({ kind: "wait" });
  expect(readKeys(["g", "c"])).toEqual({ kind: "go", href: "/hooks/new" });
});

it("? helps, whatever was pressed before", () => {
  expect(readKeys(["g", "?"])).toEqual({ kind: "help" });
});
