import fc from "fast-check";
import { expect, it } from "vitest";
import { type DiffLine, diffLines } from "./diff-lines.ts";

const signs = { same: " ", added: "+", removed: "-", gap: "…" };
const show = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => signs[kind] + text);

it("keeps the lines that both have, and three around a change", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
  expect(show(diffLines(before, before.replace("\n5\n", "\nfive\n")))).toEqual([
    "…",
    ...[" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
    "…",
  ]);
  expect(show(diffLines("a\nb\nc", "a\nx\nb\nc\ny"))).toEqual([" a", "+x", " b", " c", "+y"]);
  expect(show(diffLines("", "a"))).toEqual(["+a"]);
  expect(show(diffLines("a", "a"))).toEqual(["…"]);
});

it("a text that is too long to compare is replaced", () => {
  const text = (word: string) =>
    Array.from({ length: 1_200 }, (_, at) => `${word}${at}`).join("\n");
  const lines = diffLines(text("a"), text("b"));
  expect(lines.map(({ kind }) => kind)).toEqual([
    ...Array<string>(1_200).fill("removed"),
    ...Array<string>(1_200).fill("added"),
  ]);
});

it("whatever changed, removed lines are of the old text and added ones of the new, in order", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (old, now) => {
      const lines = diffLines(old.join("\n"), now.join("\n"));
      const of = (...kinds: readonly string[]) =>
        lines.filter(({ kind }) => kinds.includes(kind)).map((each) => each.text);
      if (lines.some(({ kind }) => kind === "gap")) return;
      expect(of("same", "removed")).toEqual(old);
      expect(of("same", "added")).toEqual(now);
    }),
  );
});
