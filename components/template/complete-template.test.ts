import { expect, test } from "vitest";
import type { Suggestion } from "#components/ui/code/suggestion.ts";
import { applySuggestion, completeTemplate } from "./complete-template.ts";

const names: readonly Suggestion[] = [
  "id",
  "data",
  "data.object.email",
  "data.object.amount",
  'headers["x y"]',
].map((path) => ({ label: path, text: path, detail: "…", kind: "text" as const }));
const at = (text: string, place: "text" | "json" = "text") => {
  const cursor = text.indexOf("^");
  return completeTemplate(text.replace("^", ""), cursor, names, place);
};
const labels = (text: string, place?: "text" | "json") =>
  at(text, place)?.suggestions.map(({ label }) => label);

test("names are suggested where a value goes, those with a matching start first", () => {
  expect(labels("{{ ^")).toEqual(names.map(({ label }) => label));
  expect(labels("{{ data.object.^ }}")).toEqual(["data.object.email", "data.object.amount"]);
  expect(labels("{{ amount^")).toEqual(["data.object.amount"]);
  expect(labels("a {{ id }} b^")).toBeUndefined();
  expect(labels("plain ^")).toBeUndefined();
  expect(labels('{{ headers["x^')).toEqual(['headers["x y"]']);
});

test("the shortest path comes first: the field itself, not one that contains it", () => {
  const paths = [
    "payload.type",
    "payload.data.type",
    "data.object.payment_method_types",
    "data.type",
    "type",
  ];
  const listed = paths.map((path) => ({
    label: path,
    text: path,
    detail: "…",
    kind: "text" as const,
  }));
  const found = completeTemplate("{{ typ", 6, listed, "text")?.suggestions.map(
    ({ label }) => label,
  );
  expect(found).toEqual([
    "type",
    "payload.type",
    "data.type",
    "payload.data.type",
    "data.object.payment_method_types",
  ]);
});

test("filters are suggested after a |, and names as their arguments", () => {
  expect(labels("{{ id | up^")?.[0]).toBe("upcase");
  expect(labels("{{ id | default: da^")).toContain("data");
  expect(labels('{{ id | default: "a | b^')).toBeUndefined();
  expect(labels("{{ id | default ^")).toBeUndefined();
});

test("a suggestion replaces what was typed, and closes the template", () => {
  const take = (marked: string, label: string, place: "text" | "json" = "text") => {
    const completion = at(marked, place);
    const chosen = completion?.suggestions.find((suggestion) => suggestion.label === label);
    if (completion === undefined || completion === null || chosen === undefined)
      throw new Error(`no ${label}`);
    const { text, cursor } = applySuggestion(marked.replace("^", ""), completion, chosen);
    return `${text.slice(0, cursor)}^${text.slice(cursor)}`;
  };
  expect(take("x{{ data.object.e^ y", "data.object.email")).toBe("x{{ data.object.email }}^ y");
  expect(take("{{^", "id")).toBe("{{ id }}^");
  expect(take("{{ da^ }}", "data")).toBe("{{ data^ }}");
  expect(take("{{ id | upc^ }}", "upcase")).toBe("{{ id | upcase^ }}");
  expect(take('"{{ x^"', 'headers["x y"]', "json")).toBe('"{{ headers[\\"x y\\"] }}^"');
  expect(take('"{{ headers[\\"x^"', 'headers["x y"]', "json")).toBe('"{{ headers[\\"x y\\"] }}^"');
});
