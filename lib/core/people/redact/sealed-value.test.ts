import fc from "fast-check";
import { expect, test } from "vitest";
import { createSealer, type SealPlace } from "#lib/core/people/seal/sealer.ts";
import { hideSealedValues, openSealedValues, sealValue } from "./sealed-value.ts";

const sealer = createSealer({
  current: { id: "k", key: Buffer.alloc(32, 1) },
  previous: [],
  randomNonce: () => Buffer.alloc(12, 2),
});
const place: SealPlace = { accountId: "a", table: "deliveries", rowId: "d", field: "headers" };

test("property: any value opens only where it was sealed; the mark is what is shown", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)) }),
      (value) => {
        const sealed = `a ${sealValue(sealer, value, place)} b`;
        expect(openSealedValues(sealer, sealed, place)).toBe(`a ${value} b`);
        expect(openSealedValues(sealer, sealed, { ...place, rowId: "e" })).toBe(sealed);
        expect(hideSealedValues(sealed)).toBe("a [redacted] b");
        // Nothing needs escaping inside JSON text.
        expect(JSON.stringify(sealed)).toBe(`"${sealed}"`);
      },
    ),
  );
});

test("a forged sealed value stays unchanged, and is shown as the mark", () => {
  const forged = "[redacted] sealed:AAAA";
  expect(openSealedValues(sealer, forged, place)).toBe(forged);
  expect(hideSealedValues(forged)).toBe("[redacted]");
  expect(hideSealedValues("[redacted]")).toBe("[redacted]");
});
