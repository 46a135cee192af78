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

test("the name is read from the preview's message", () => {
  expect(readMissingName("data.object.mail is not in this payload (there is no data)")).toBe(
    "data.object.mail",
  );
  expect(readMissingName('headers["x y"] is not in this delivery')).toBe('headers["x y"]');
  expect(readMissingName("foo is not there: a name starts with payload")).toBe("foo");
  expect(readMissingName("there is no filter x")).toBeNull();
});

test("a fallback is added to each output of that name, once", () => {
  const source =
    "{{ data.a }} {{ data.b }} {{data.a|upcase}} {{ data.a | default: 1 }} {{- data.a -}}";
  expect(addDefault(source, "data.a", "text")).toBe(
    '{{ data.a | default: "" }} {{ data.b }} {{data.a|upcase | default: "" }} {{ data.a | default: 1 }} {{- data.a | default: "" -}}',
  );
  expect(addDefault('{"a": "{{ data.a }}"}', "data.a", "json")).toBe(
    `{"a": "{{ data.a | default: '' }}"}`,
  );
});
