import { expect, test } from "vitest";
import { toInsertion } from "./to-insertion.ts";

test("a field is inserted with the quotes that JSON needs there", () => {
  expect(toInsertion("data.id", "text", '{"a": ')).toBe("{{ data.id }}");
  expect(toInsertion("data.id", "json", '{"a": ')).toBe('"{{ data.id }}"');
  expect(toInsertion("data.id", "json", '{"a": "x \\" ')).toBe("{{ data.id }}");
  expect(toInsertion('payload["x y"]', "json", '{"a": "')).toBe('{{ payload[\\"x y\\"] }}');
});
