import { expect, test } from "vitest";
import { StartError } from "#server/system/start-error.ts";
import { countCatchProcesses, nameCatchProcesses } from "./catch-processes.ts";

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [8, 4],
  [64, 8],
])("on Linux with %i cores, %i processes catch deliveries by default", (cores, count) => {
  expect(countCatchProcesses(undefined, { cores, platform: "linux" })).toBe(count);
});

test("where a port can't be shared, there is one, and asking for more fails the start", () => {
  const mac = { cores: 10, platform: "darwin" } as const;
  expect(countCatchProcesses(undefined, mac)).toBe(1);
  expect(countCatchProcesses(1, mac)).toBe(1);
  expect(() => countCatchProcesses(2, mac)).toThrow(StartError);
});

test("the number can be set, whatever the number of cores", () => {
  expect(countCatchProcesses(3, { cores: 1, platform: "linux" })).toBe(3);
});

test("a single process is called by its role, several are numbered", () => {
  expect(nameCatchProcesses(1)).toEqual(["catch"]);
  expect(nameCatchProcesses(2)).toEqual(["catch-1", "catch-2"]);
});
