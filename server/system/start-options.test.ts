import { expect, test } from "vitest";
import { StartError } from "./start-error.ts";
import { parseStartOptions } from "./start-options.ts";

test("without options everything runs, as the environment says", () => {
  const { roles, log, catchProcesses } = parseStartOptions([]);
  expect([...roles].toSorted()).toEqual(["catch", "web", "worker"]);
  expect([log, catchProcesses]).toEqual([undefined, undefined]);
});

test("roles, log, and the number of catch processes can be chosen", () => {
  const args = ["--role", "catch", "--log", "pretty", "--catch-processes", "4"];
  expect(parseStartOptions(args)).toEqual({
    roles: new Set(["catch"]),
    log: "pretty",
    catchProcesses: 4,
  });
});

test.each([
  ["--catch-processes", "0"],
  ["--catch-processes", "17"],
  ["--catch-processes", "two"],
  ["--catch-processes", ""],
  ["--role", "queue"],
  ["--log", "xml"],
  ["--port", "80"],
])("%s %s fails the start with a sentence about it", (option, value) => {
  expect(() => parseStartOptions([option, value])).toThrow(StartError);
  expect(() => parseStartOptions([option, value])).toThrow(option);
});
