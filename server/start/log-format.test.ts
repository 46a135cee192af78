import { expect, test } from "vitest";
import { chooseLogFormat } from "./log-format.ts";

test.each([
  ["a terminal", undefined, undefined, true, "pretty"],
  ["a pipe", undefined, undefined, false, "json"],
  ["the variable, in a terminal", undefined, "json", true, "json"],
  ["the variable, in a pipe", undefined, "pretty", false, "pretty"],
  ["the option over the variable", "json", "pretty", true, "json"],
] as const)("%s", (_case, option, variable, isTerminal, format) => {
  expect(chooseLogFormat(option, variable, isTerminal)).toBe(format);
});
