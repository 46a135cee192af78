import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "./split-lines.ts";

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("parts have whole lines, in order, and only a longer line makes a larger one", async () => {
  const line = fc.string({ maxLength: 40 }).map((text) => text.replaceAll("\n", " "));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 90 }), async (lines, chunk) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const parts = [];
      for await (const part of splitLines(cut(bytes, chunk), 50)) parts.push(part);
      expect(Buffer.concat(parts.map((part) => part.bytes))).toEqual(bytes);
      for (const part of parts) {
        expect(part.bytes.at(-1)).toBe(10);
        expect(part.rows).toBe(part.bytes.toString().split("\n").length - 1);
        expect(part.bytes.length).toBeLessThan(50 + chunk + 40 * 4);
      }
    }),
  );
});
