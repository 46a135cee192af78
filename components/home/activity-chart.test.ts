import { expect, it } from "vitest";
import { listTicks } from "./activity-chart.tsx";

it.each([
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [11, [0, 5, 10, 15]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [12_345, [0, 5_000, 10_000, 15_000]],
])("an axis up to %i has round counts", (highest, ticks) => {
  expect(listTicks(highest)).toEqual(ticks);
});
