import { describe, expect, test } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import type { Place } from "#lib/core/mapping/encode/place.ts";
import { renderString, renderText } from "./render-template.ts";
import { contextOf } from "./testing/test-context.ts";

const nowMs = 0;

const long = "a".repeat(1_000_000);
const large = contextOf(
  JSON.stringify({
    id: "x",
    data: {
      long,
      other: `${"a".repeat(500_000)}b`,
      pattern: `b${"a".repeat(400_000)}`,
      list: Array.from({ length: 200_000 }, (_, index) => index),
      keys: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index])),
      nested: [Array.from({ length: 200_000 }, (_, index) => index)],
      format: "%a".repeat(20_000),
      width: "%999999999d",
      top: 9007199254740992,
      above: 9007199254740994,
      infinite: "Infinity",
    },
  }),
);

const bombs: readonly (readonly [name: string, source: string, place?: Place])[] = [
  ["a range of a billion", "{% for i in (1..1000000000) %}x{% endfor %}"],
  ["a range where adding 1 changes nothing", "{% for i in (data.top..data.above) %}x{% endfor %}"],
  ["a range to infinity", "{% for i in (1..data.infinite) %}x{% endfor %}"],
  ["a range outside of for", "{{ (9007199254740992..9007199254740994) | size }}"],
  ["a range hidden in a path", "{{ data.list[(9007199254740992..9007199254740994)] }}"],
  ["a range hidden in a filter", "{{ data.list | concat: (1..99999999) }}"],
  ["a range in a loop limit", "{% for i in data.list limit: (1..99999999) %}{% endfor %}"],
  [
    "loops in loops that print nothing",
    `${"{% for i in (1..9999) %}".repeat(4)}${"{% endfor %}".repeat(4)}`,
  ],
  [
    "loops in loops with a text",
    "{% for i in (1..9999) %}{% for j in (1..9999) %}xxxxxxxxxx{% endfor %}{% endfor %}",
  ],
  [
    "text that doubles by append",
    `{% assign a = "aaaaaaaaaa" %}${"{% assign a = a | append: a %}".repeat(60)}{{ a }}`,
  ],
  [
    "text that doubles in a loop",
    "{% assign a = 'aa' %}{% for i in (1..999) %}{% assign a = a | append: a %}{% endfor %}",
  ],
  [
    "text that doubles by capture",
    `{% assign a = "aaaa" %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(60)}{{ a }}`,
  ],
  [
    "text that grows by replace",
    `{% assign a = "aaaa" %}${"{% assign a = a | replace: 'a', 'aaaaaaaa' %}".repeat(30)}{{ a }}`,
  ],
  [
    "a list that doubles",
    `{% assign a = data.list %}${"{% assign a = a | concat: a %}".repeat(60)}{{ a | size }}`,
  ],
  ["lists by split", "{% for i in (1..9999) %}{% assign a = data.long | split: '' %}{% endfor %}"],
  [
    "literal text captured in a loop",
    `{% for i in (1..9999) %}{% capture a %}${"x".repeat(50_000)}{% endcapture %}{% endfor %}`,
  ],
  ["a large value printed often", "{% for i in (1..9999) %}{{ data.long }}{% endfor %}"],
  ["a large list printed often", "{% for i in (1..9999) %}{{ data.list }}{% endfor %}"],
  [
    "a large object looped over often",
    "{% for i in (1..9999) %}{% for k in data.keys limit: 1 %}{% endfor %}{% endfor %}",
  ],
  [
    "a search through a large list",
    "{% for i in (1..9999) %}{% if data.list contains 'x' %}{% endif %}{% endfor %}",
  ],
  [
    "a comparison of large lists",
    "{% for i in (1..9999) %}{% if data.nested == data.nested %}{% endif %}{% endfor %}",
  ],
  [
    "a search whose cost is text times pattern",
    "{% if data.other contains data.pattern %}{% endif %}",
  ],
  ["a replace whose cost is text times pattern", "{{ data.other | replace: data.pattern, 'x' }}"],
  ["a split whose cost is text times pattern", "{{ data.other | split: data.pattern | size }}"],
  ["a date with a huge width", "{{ 'now' | date: data.width }}"],
  ["a date with a huge format", "{{ 'now' | date: data.format }}"],
  [
    "dates in a loop",
    "{% for i in (1..9999) %}{{ 'now' | date: '%A %B %A %B %A %B' }}{% endfor %}",
  ],
  ["sorting in a loop", "{% for i in (1..9999) %}{% assign s = data.list | sort %}{% endfor %}"],
  [
    "encoding in a loop",
    "{% for i in (1..9999) %}{% assign s = data.long | url_encode %}{% endfor %}",
  ],
  ["json in a loop", "{% for i in (1..9999) %}{% assign s = data.list | json %}{% endfor %}"],
  [
    "missing names in a loop",
    `{% for i in (1..9999) %}{{ data.nope[i] }}{% endfor %}${" ".repeat(60_000)}`,
  ],
  ["deep brackets", `{{ ${"data[".repeat(12_000)} }}`],
  ["deep parentheses", `{{ ${"(".repeat(60_000)} }}`],
  ["deep tags", `${"{% if id %}".repeat(5000)}`],
  ["a large value over 1 MiB in a URL", "https://h/{{ data.long }}{{ data.long }}", "url"],
  ["a large value over 1 MiB in JSON", '["{{ data.long }}{{ data.long }}"]', "json"],
  ["a large value over 1 MiB in a form", "a={{ data.long }}&b={{ data.long }}", "form"],
];

/**
 * A number of two million digits, paths of a hundred thousand characters, and lists to use them on.
 */
const manyDigits = contextOf(`{"data":{
  "digits":${"7".repeat(2_000_000)},
  "path":"${"a.".repeat(50_000)}a",
  "longKey":"${"1".repeat(100_000)}",
  "items":[${Array.from({ length: 4_000 }, (_, index) => {
    return `{"id":${index}.10,"a":${'{"a":'.repeat(60)}{}${"}".repeat(60)}}`;
  })}],
  "lists":[${"[1],".repeat(10_000)}[1]]
}}`);

describe("expansion bombs", () => {
  test.each(bombs.map(([name, source, place]) => ({ name, source, place })))(
    "$name is rejected before it costs anything",
    (bomb) => {
      const { source, place = "text" } = bomb;
      const elapsedMs = startProcessorTime();
      const rendered = renderText(source, place, { context: large, nowMs });
      expect(rendered.ok).toBe(false);
      // Takes some 20 to 100 ms. Without its limit it would take minutes.
      expect(elapsedMs()).toBeLessThan(5_000);
    },
  );

  test.each([
    ['{{ data.items | where: "id", data.digits | size }}'],
    ['{{ data.items | reject: "id", data.digits | size }}'],
    ['{{ data.items | find: "id", data.digits }}'],
    ["{% for item in data.items %}{% if item.id > data.digits %}{% endif %}{% endfor %}"],
    ["{% for item in data.items %}{{ item.id | plus: data.digits }}{% endfor %}"],
    ["{{ data.lists | map: data.longKey | size }}"],
  ])("%s costs its digits or its key times its items, and is rejected", (source) => {
    const elapsedMs = startProcessorTime();
    expect(renderText(source, "text", { context: manyDigits, nowMs })).toMatchObject({
      ok: false,
      messages: ["the template makes too much text or too long lists"],
    });
    // Took 3 to 31 s when only the items were counted.
    expect(elapsedMs()).toBeLessThan(2_000);
  });

  test.each([
    "{{ data.items | where: data.path | size }}",
    '{{ data.items | where: data.path, "x" | size }}',
    "{{ data.items | map: data.path | size }}",
    "{{ data.items | sort: data.path | size }}",
    "{{ data.items | sum: data.path }}",
  ])("%s follows a path no further than there are values", (source) => {
    const elapsedMs = startProcessorTime();
    const rendered = renderText(source, "text", { context: manyDigits, nowMs });
    expect(rendered).toMatchObject({ ok: false, code: "missing" });
    expect(JSON.stringify(rendered).length).toBeLessThan(300);
    // Took 12 s when the path was parsed and followed for each item.
    expect(elapsedMs()).toBeLessThan(2_000);
  });

  test("ids of thirty digits are found among thousands, and a long sum of long fractions is fast", () => {
    const ids = Array.from(
      { length: 20_000 },
      (_, index) => `{"id":${10n ** 29n + BigInt(index)}}`,
    );
    const fractions = Array.from({ length: 3_000 }, () => `0.${"0".repeat(390)}1`);
    const context = contextOf(`{"data":{"items":[${ids}],"fractions":[${fractions}]}}`);
    const source = '{{ data.items | where: "id", 100000000000000000000000000042 | size }}';
    expect(renderString(source, { context, nowMs })).toEqual({ ok: true, value: 1 });
    const elapsedMs = startProcessorTime();
    expect(renderText("{{ data.fractions | sum }}", "text", { context, nowMs })).toMatchObject({
      ok: true,
    });
    expect(elapsedMs()).toBeLessThan(500);
  });

  test("ordinary work is far below the limits", () => {
    const source = "{% for i in data.list limit: 2000 %}{{ i }},{% endfor %}{{ data.long | size }}";
    expect(renderText(source, "text", { context: large, nowMs })).toMatchObject({ ok: true });
  });
});
