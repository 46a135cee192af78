import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Place } from "#lib/core/mapping/encode/place.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { checkTemplate } from "./compile-template.ts";
import { encodeParts } from "./encode-parts.ts";
import { renderString, renderText } from "./render-template.ts";
import { checkout, contextOf } from "./testing/test-context.ts";

const context = contextOf(checkout);
const nowMs = Date.UTC(2026, 10, 21, 7, 30, 0);

/** The value as JSON, or the error messages. */
function value(source: string, from = context): unknown {
  const rendered = renderString(source, { context: from, nowMs });
  if (!rendered.ok) return rendered.messages;
  const json = stringifyExactJson(rendered.value);
  return json.ok ? json.text : json.message;
}

function text(source: string, place: Place = "text", from = context): unknown {
  const rendered = renderText(source, place, { context: from, nowMs });
  return rendered.ok ? rendered.text : rendered.messages;
}

function payload(p: unknown) {
  return contextOf(JSON.stringify({ data: p }));
}

describe("a single output keeps its type", () => {
  test.each([
    ["{{ data.object.amount_total }}", "4200"],
    ["{{ data.object.big }}", "12345678901234567890123"],
    ["{{ data.object.huge }}", "1e400"],
    ["{{ data.object.zero }}", "-0"],
    ["{{ data.object.price }}", "1.10"],
    ["{{- data.object.price -}}", "1.10"],
    ["{{ payload.data.object.customer_email }}", '"jane@example.com"'],
    ["{{ data.object.note }}", "null"],
    ["{{ data.object.tags }}", '["new","vip"]'],
    ["{{ data.object.items[1].price }}", "2.5"],
    ["{{ data.object.items.last.sku }}", '"B 2"'],
    ["{{ data.object.tags.size }}", "2"],
    ["{{ data.object.amount_total > 4000 }}", "true"],
    ["{{ data.object.price | times: 100 }}", "110"],
    ["{{ data.object.items | map: 'price' | sum }}", "12.5"],
    ["{{ query }}", '{"a":"1","b":["2","3"]}'],
    ["{{ headers.x-topic }}", '"a, b"'],
    ["{{ delivery.eventType }}", "null"],
    ["{{ hook.name }} ", '"Shop "'],
    ["{{ data.object.price }}{{ data.object.big }}", '"1.1012345678901234567890123"'],
    ["a{{ data.object.note }}b", '"ab"'],
    [
      "{{ data.object.items | json }}",
      '"[{\\"sku\\":\\"A-1\\",\\"price\\":10},{\\"sku\\":\\"B 2\\",\\"price\\":2.5}]"',
    ],
    ["no template {", '"no template {"'],
  ])("%s → %s", (source, expected) => {
    expect(value(source)).toBe(expected);
  });

  test("a long number in the template compares digit by digit", () => {
    expect(text("{% if data.object.big == 12345678901234567890123 %}same{% endif %}")).toBe("same");
    expect(text("{% if data.object.big == 12345678901234567890124 %}same{% endif %}")).toBe("");
  });
});

describe("a missing name", () => {
  test.each([
    ["{{ data.object.customer_emai }}", "data.object.customer_emai is not in this payload"],
    [
      "{{ data.objekt.email }}",
      "data.objekt.email is not in this payload (there is no data.objekt)",
    ],
    [
      "{{ data.object.note.text }}",
      "data.object.note.text is not in this payload (data.object.note is null)",
    ],
    [
      "{{ data.object.items[7].sku }}",
      "data.object.items[7].sku is not in this payload (there is no data.object.items[7])",
    ],
    ["{{ headers.x-missing }}", "headers.x-missing is not in this delivery"],
    ["{{ data.object.tags | join: data.sep }}", "data.sep is not in this payload"],
    ["{% assign x = data.nope %}{{ x }}", "data.nope is not in this payload"],
    ["{% for i in data.list %}{{ i }}{% endfor %}", "data.list is not in this payload"],
    ["{{ data.object.size }}", "data.object.size is not in this payload"],
    [
      "{{ email }}",
      "email is not there: a name starts with payload, rawBody, headers, " +
        "query, path, method, delivery, hook, id, type or data",
    ],
  ])("%s is an error that names it", (source, message) => {
    expect(value(source)).toEqual([message]);
  });

  test("all of them are reported, not only the first", () => {
    expect(value("{{ data.a }} {{ data.b | append: data.c }} {{ data.a }}")).toEqual([
      "data.a is not in this payload",
      "data.b is not in this payload",
      "data.c is not in this payload",
    ]);
  });

  test.each([
    ["{{ data.nope | default: 'x' }}", '"x"'],
    ["{{ data.nope | strip | upcase | default: 'x' }}", '"x"'],
    ["{{ data.nope.deeper | default: 7 }}", "7"],
    ["{{ data.object.note | default: data.object.currency }}", '"eur"'],
    ["{{ data.object.amount_total | default: 1 }}", "4200"],
    ["{% if data.nope %}a{% else %}b{% endif %}", '"b"'],
    ["{% unless data.nope.x %}a{% endunless %}", '"a"'],
    ["{% if data.nope == nil %}a{% endif %}", '"a"'],
  ])("%s has a fallback", (source, expected) => {
    expect(value(source)).toBe(expected);
  });

  test("a body that isn't JSON says so", () => {
    expect(value("{{ data.x }}", contextOf("<xml>"))).toEqual([
      expect.stringContaining("not valid JSON"),
    ]);
    expect(value("{{ hook.name }}", contextOf("<xml>"))).toBe('"Shop"');
  });
});

describe("values are encoded for their place", () => {
  const from = payload({
    v: 'a&b=/?#"\\\r\n é',
    dots: "..",
    dot: ".",
    empty: "",
    list: [1, "x"],
    o: { k: "v" },
    n: null,
    t: true,
    half: "\ud800",
  });
  test.each<[Place, string, string]>([
    ["text", "{{ data.v }}", 'a&b=/?#"\\\r\n é'],
    ["url", "https://h/{{ data.v }}", "https://h/a%26b%3D%2F%3F%23%22%5C%0D%0A%20%C3%A9"],
    ["url", "https://h/p?q={{ data.v }}", "https://h/p?q=a%26b%3D%2F%3F%23%22%5C%0D%0A%20%C3%A9"],
    ["url", "https://h/a/{{ data.dot }}json", "https://h/a/.json"],
    ["url", "https://h/{% for i in data.list %}{{ i }}/{% endfor %}", "https://h/1/x/"],
    ["form", "a={{ data.v }}&b=1", "a=a%26b%3D%2F%3F%23%22%5C%0D%0A+%C3%A9&b=1"],
    ["xml", "<a>{{ data.v }}</a>", "<a>a&amp;b=/?#&quot;\\\r\n é</a>"],
    ["json", '{"a":"x {{ data.v }}"}', '{"a":"x a&b=/?#\\"\\\\\\r\\n é"}'],
    ["json", '{"a":{{ data.v }}}', '{"a":"a&b=/?#\\"\\\\\\r\\n é"}'],
    [
      "json",
      '{"a":{{ data.list }},"b":{{ data.o | json }},"c":{{ data.n }},"d":{{ data.t }}}',
      '{"a":[1,"x"],"b":{"k":"v"},"c":null,"d":true}',
    ],
    ["json", '{"a":"\\"{{ data.o }}"}', '{"a":"\\"{\\"k\\":\\"v\\"}"}'],
    [
      "json",
      "[{% for i in data.list %}{{ i }}{% unless forloop.last %},{% endunless %}{% endfor %}]",
      '[1,"x"]',
    ],
    [
      "json",
      '{% capture c %}{{ data.v }}{% endcapture %}{"a":"{{ c }}"}',
      '{"a":"a&b=/?#\\"\\\\\\r\\n é"}',
    ],
    ["header", "x {{ data.t }}", "x true"],
  ])("%s: %s", (place, source, expected) => {
    expect(text(source, place, from)).toBe(expected);
  });

  test.each<[Place, string]>([
    ["header", "{{ data.v }}"],
    ["header", "x\r\nEvil: 1"],
    ["url", "https://h/a/{{ data.dots }}/b"],
    ["url", "https://h/a/.{{ data.dot }}"],
    ["url", "https://h/a/%2e{{ data.dot }}?x"],
    ["url", "https://h/users/{{ data.empty }}"],
    ["url", "https://h/users/{{ data.n }}x"],
    ["url", "https://h/{{ data.list }}"],
    ["url", "https://h/{{ data.o }}"],
    ["url", "https://h/{{ data.half }}"],
    ["url", "https://h/a b"],
    ["url", "https://h/a#{{ data.t }}"],
    ["json", '{"a":"\\{{ data.t }}"}'],
    ["json", '{"a":{{ data.t }}'],
    ["json", ""],
  ])("%s refuses %j", (place, source) => {
    expect(text(source, place, from)).toEqual([expect.any(String)]);
  });

  test("with any values, a JSON text parses and a header contains no CR, LF, or NUL", () => {
    const piece = fc.constantFrom(
      "{{ data.a }}",
      '"{{ data.a }}"',
      '{"k":{{ data.b }}}',
      '["{{ data.b }}-{{ data.a }}"]',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.jsonValue(),
        fc.string({ unit: "binary" }),
        (pieces, a, b) => {
          const json = renderText(`[${pieces.join(",")}]`, "json", {
            context: payload({ a, b }),
            nowMs,
          });
          expect(json.ok && JSON.parse(json.text)).toHaveLength(pieces.length);
          const header = renderText("x{{ data.b }}", "header", { context: payload({ b }), nowMs });
          expect(header.ok && /[^\t\x20-\x7e\x80-\xff]/.test(header.text)).toBe(false);
        },
      ),
    );
  });

  test("a value in a JSON string is the same string after parsing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (a) => {
        const parts = [
          { kind: "literal", text: '["' },
          { kind: "value", value: a },
          { kind: "literal", text: '"]' },
        ] as const;
        expect(JSON.parse(encodeParts(parts, "json"))).toEqual([a]);
      }),
    );
  });
});

describe("filters and tags", () => {
  test.each([
    ["{{ 'now' | date: '%Y-%m-%dT%H:%M:%S%:z' }}", "2026-11-21T07:30:00+00:00"],
    ["{{ delivery.receivedAt | date: '%s' }}", "1795244400"],
    ["{{ '2026-03-01 10:00' | date: '%H:%M %Z' }}", "10:00 +0000"],
    ["{{ '2026-03-01T10:00:00+02:00' | date_to_xmlschema }}", "2026-03-01T08:00:00+00:00"],
    ["{{ 1700000000 | date: '%d %b %Y' }}", "14 Nov 2023"],
    ["{{ 1700000000123 | date: '%d %b %Y' }}", "14 Nov 2023"],
    ["{{ '1700000000123' | date: '%s.%L' }}", "1700000000.123"],
    ["{{ 1700000000123456 | date: '%Y' }}", "2023"],
    ["{{ '😀a' | first }}{{ 'a😀' | last }}{{ '' | first }}", "😀😀"],
    ["{{ data.object.items | where: 'price', 2.5 | map: 'sku' | join: ',' }}", "B 2"],
    ["{{ data.object.items | find: 'sku', 'A-1' | json }}", '{"sku":"A-1","price":10}'],
    ["{{ data.object.items | sort: 'price' | map: 'sku' | first }}", "B 2"],
    ["{{ data.object.tags | concat: data.object.tags | uniq | size }}", "2"],
    ["{{ data.object.customer_email | split: '@' | last | upcase }}", "EXAMPLE.COM"],
    ["{{ data.object.big | append: '!' }}", "12345678901234567890123!"],
    ["{{ data.object | upcase | truncate: 12 }}", '{"CUSTOME...'],
    ["{{ data.object.price | round }}/{{ 7 | modulo: 3 }}/{{ '3' | plus: 4 }}", "1/1/7"],
    [
      "{{ 'a+b' | url_encode }} {{ 'é' | base64_encode }} {{ 'w6k=' | base64_decode }}",
      "a%2Bb w6k= é",
    ],
    ["{% case type %}{% when 'checkout.completed' %}yes{% else %}no{% endcase %}", "yes"],
    ["{% liquid\n assign n = 2\n for i in (1..n)\n echo i\n endfor %}", "12"],
    ["{% raw %}{{ x }}{% endraw %}{% comment %}{{ y }}{% endcomment %}{%- # note -%}", "{{ x }}"],
    [
      "{% for i in data.object.items limit: 1 %}{{ forloop.index }}/{{ forloop.length }}{% endfor %}",
      "1/1",
    ],
    ["{% for p in data.object.items[0] %}{{ p[0] }}={{ p[1] }};{% endfor %}", "sku=A-1;price=10;"],
    ["{% if data.object.tags contains 'vip' and data.object.price < 2 %}ok{% endif %}", "ok"],
  ])("%s → %s", (source, expected) => {
    expect(text(source)).toBe(expected);
  });

  test("an error has a line and a column", () => {
    expect(checkTemplate("ok {{ payload.x }}")).toEqual({ ok: true });
    expect(checkTemplate("a\n  {{ x | nope }}")).toEqual({
      ok: false,
      line: 2,
      column: 3,
      message: "there is no filter nope",
    });
    expect(checkTemplate("{% if x %}")).toMatchObject({ ok: false, line: 1, column: 1 });
    expect(checkTemplate("x {{ data.first name }}")).toMatchObject({
      ok: false,
      line: 1,
      column: 3,
    });
    expect(checkTemplate("x".repeat(70_000))).toMatchObject({ ok: false });
  });
});
