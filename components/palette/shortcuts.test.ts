import { expect, it } from "vitest";
import { goShortcuts, readKeys } from "./shortcuts.ts";

it("every shortcut opens its page, and no two start the same", () => {
  for (const { keys, href } of goShortcuts) expect(readKeys(keys)).toEqual({ kind: "go", href });
  const spelled = goShortcuts.map(({ keys }) => keys.join(" "));
  expect(
    spelled.filter((one) => spelled.some((other) => other !== one && other.startsWith(one))),
  ).toEqual([]);
});

it("the first of two keys waits for the second", () => {
  expect(readKeys(["g"])).toEqual({ kind: "wait" });
});

it("an unknown key is ignored, unless it starts another shortcut", () => {
  expect(readKeys(["x"])).toEqual({ kind: "none" });
  expect(readKeys(["g", "x"])).toEqual({ kind: "none" });
  expect(readKeys(["g", "g"])).toEqual({ kind: "wait" });
  expect(readKeys(["g", "c"])).toEqual({ kind: "go", href: "/hooks/new" });
});

it("? opens the help after any key", () => {
  expect(readKeys(["g", "?"])).toEqual({ kind: "help" });
});
