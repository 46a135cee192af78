import { expect, test } from "vitest";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { renderValue, writeValue } from "./render-value.ts";
import { contextOf } from "./testing/test-context.ts";

const context = contextOf('{"id":"e","big":12345678901234567890123,"items":[1,2]}');
const render = { context, nowMs: 0 };

function written(value: unknown) {
  const failed: string[] = [];
  const rendered = renderValue(value, "data", render, (at, { messages }) =>
    failed.push(`${at}: ${messages.join()}`),
  );
  const text = writeValue(rendered, render);
  return failed.length > 0 ? failed : text.ok ? text.text : text.message;
}

test("strings are templates, keys are not, and numbers keep their digits", () => {
  const value = {
    "{{ id }}": "{{ payload.big }}",
    list: ["{{ payload.items }}", "x{{ id }}", new ExactNumber("1.10"), null],
  };
  expect(written(value)).toBe('{"{{ id }}":12345678901234567890123,"list":[[1,2],"xe",1.10,null]}');
});

test("`__proto__` is a key like any other", () => {
  expect(written(JSON.parse('{"__proto__":"{{ id }}"}'))).toBe('{"__proto__":"e"}');
});

test("every string that can't be rendered is reported, with its path", () => {
  expect(written({ a: ["{{ payload.none }}"], b: { c: "{{ payload.nil }}" } })).toEqual([
    expect.stringMatching(/^data\.a\[0\]: /),
    expect.stringMatching(/^data\.b\.c: /),
  ]);
});

test("what is written stays in proportion to the payload", () => {
  const list = Array.from({ length: 400 }, () => "x".repeat(10_000));
  expect(written(list)).toBe("the JSON is longer than 1048792 characters");
});
