import { expect, test } from "vitest";
import { isInTemplate, toInsertion } from "./to-insertion.ts";

function insert(path: string, place: "text" | "json", before: string, after = ""): string {
  const { text, replaces } = toInsertion(path, place, { before, after });
  return `${before.slice(0, before.length - replaces)}${text}|${after}`;
}

test("a field is inserted with the quotes that JSON needs there", () => {
  expect(insert("data.id", "text", '{"a": ')).toBe('{"a": {{ data.id }}|');
  expect(insert("data.id", "json", '{"a": ')).toBe('{"a": "{{ data.id }}"|');
  expect(insert("data.id", "json", '{"a": "x \\" ')).toBe('{"a": "x \\" {{ data.id }}|');
  expect(insert('payload["x y"]', "json", '{"a": "')).toBe('{"a": "{{ payload[\\"x y\\"] }}|');
});

test("in a template only the name is inserted, in place of one that was started", () => {
  expect(insert("data.id", "text", "https://a.example/{{")).toBe(
    "https://a.example/{{ data.id }}|",
  );
  expect(insert("data.id", "text", "/{{ ", " }}")).toBe("/{{ data.id| }}");
  expect(insert("data.id", "text", "/{{ data.ob", " | upcase }}")).toBe("/{{ data.id| | upcase }}");
  expect(insert("data.id", "text", "{{ a | default: ", " }}")).toBe("{{ a | default: data.id| }}");
  expect(insert("data.id", "text", "{% if ", " %}")).toBe("{% if data.id| %}");
  expect(insert("data.id", "text", "/{{", "/{{ b }}")).toBe("/{{ data.id }}|/{{ b }}");
  expect(insert('data["a b"]', "json", '"{{ ')).toBe('"{{ data[\\"a b\\"] }}|');
});

test("the cursor is in a template from its opening to its closing braces", () => {
  expect(["{{", "a {{ b", "{% if a", "{{ a }} {{"].every(isInTemplate)).toBe(true);
  expect(["", "{", "a {{ b }}", "{% if a %}", "{{ a }} b"].some(isInTemplate)).toBe(false);
});
