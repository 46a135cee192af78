import { expect, test } from "vitest";
import { mapFew } from "./map-few.ts";

test("keeps the order, does each once, and never more than four at once", async () => {
  let [running, most] = [0, 0];
  const double = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    // Later ones end first.
    for (let turn = 0; turn < 40 - item; turn += 1) await null;
    running -= 1;
    return item * 2;
  };
  const items = Array.from({ length: 20 }, (_, item) => item);
  expect(await mapFew(items, double)).toEqual(items.map((item) => item * 2));
  expect(most).toBe(4);
  expect(await mapFew([], double)).toEqual([]);
});

test("an error ends it", async () => {
  await expect(mapFew([1, 2], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
