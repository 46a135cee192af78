import { expect, test } from "vitest";
import { toSlug } from "./to-slug.ts";

test.each([
  ["Acme Inc.", "acme-inc-"],
  ["Müller & Söhne", "muller-sohne"],
  ["--x", "x"],
  ["日本", ""],
])("%s becomes %s", (typed, slug) => {
  expect(toSlug(typed)).toBe(slug);
});
