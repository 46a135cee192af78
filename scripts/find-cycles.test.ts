import { expect, it } from "vitest";
import { findCycles } from "./find-cycles.ts";

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]));

it("finds folders that import each other, directly or indirectly, and none if imports go one way", () => {
  expect(findCycles(graph({ app: ["lib", "ui"], lib: ["ui"], ui: [] }))).toEqual([]);
  expect(findCycles(graph({ app: ["lib"], lib: ["ui", "lib"], ui: ["lib"] }))).toEqual([
    ["lib", "ui", "lib"],
  ]);
  expect(findCycles(graph({ a: ["b"], b: ["c"], c: ["a"] }))).toEqual([["a", "b", "c", "a"]]);
});
