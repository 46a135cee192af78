import { expect, test } from "vitest";
import { addDefault, readMissingName, splitTemplates } from "./template-marks.ts";

test("a field is split at its templates, and missing names are marked", () => {
  expect(
    splitTemplates("a {{ id }} b {{ data['x y'] | upcase }}{% if id %}", ['data["x y"]']),
  ).toEqual([
    { text: "a ", kind: "text" },
    { text: "{{ id }}", kind: "template" },
    { text: " b ", kind: "text" },
    { text: "{{ data['x y'] | upcase }}", kind: "missing" },
    { text: "{% if id %}", kind: "template" },
  ]);
  expect(splitTemplates("", [])).toEqual([{ text: "", kind: "text" }]);
});

test("a name isn't confused with one that starts the same", () => {
  expect(splitTemplates("{{ data.identity }}", ["data.id"])[0]?.kind).toBe("template");
  expect(splitTemplates('{{ data["id"] }}', ["data.id"])[0]?.kind).toBe("missing");
  expect(splitTemplates('{{ "data.id" }}', ["data.id"])[0]?.kind).toBe("template");
  expect(splitTemplates('"{{ data[\\"x y\\"] }}"', ['data["x y"]'])[1]?.kind).toBe("missing");
});

test("the name comes from the preview's error, in plain notation", () => {
  const error = { path: "request.url", message: "is not there" };
  const missing = (name: string) => readMissingName({ ...error, code: "missing_name", name });
  expect(missing("data.object.mail")).toBe("data.object.mail");
  expect(missing('headers["x y"]')).toBe('headers["x y"]');
  expect(missing('data["a"]')).toBe("data.a");
  expect(readMissingName({ ...error, code: "duplicate", name: "x" })).toBeNull();
});

test("a fallback is added to each output of that name, once", () => {
  const source =
    "{{ data.a }} {{ data.b }} {{data.a|upcase}} {{ data.a | default: 1 }} {{- data.a -}}";
  expect(addDefault(source, "data.a", "text")).toBe(
    '{{ data.a | default: "" }} {{ data.b }} {{data.a|upcase | default: "" ' +
      '}} {{ data.a | default: 1 }} {{- data.a | default: "" -}}',
  );
  expect(addDefault('{"a": "{{ data.a }}"}', "data.a", "json")).toBe(
    `{"a": "{{ data.a | default: '' }}"}`,
  );
});
