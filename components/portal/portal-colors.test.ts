import fc from "fast-check";
import { expect, it } from "vitest";
import { contrastOf, grounds, toPortalColors, writePortalColors } from "./portal-colors.ts";

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

it("any color is readable in both themes, as text and under text", () => {
  fc.assert(
    fc.property(color, (hex) => {
      const colors = toPortalColors(hex);
      for (const theme of ["light", "dark"] as const) {
        const { primary, hover, onPrimary } = colors[theme];
        expect(contrastOf(primary, grounds[theme])).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(onPrimary, primary)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(onPrimary, hover)).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

it("a color that is readable already stays as it is", () => {
  expect(toPortalColors("#0b57d0").light.primary).toBe("#0b57d0");
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
});

it("the style holds colors only", () => {
  expect(writePortalColors(toPortalColors("#0f62fe"))).toMatch(
    /^:root\{(?:--[a-z-]+:light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);?)+\}$/,
  );
});
