import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { build, sent } from "#lib/core/mapping/build-request/testing/build.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";

/** Texts that end a string, a line, a field, or a record in one format or another. */
const hostile = [
  'x"}\n{"delete":{"_id":"1"}}\n{"a":"',
  "a,b;c\td|e",
  'say "hi"\r\nBcc: eve@example.com',
  "=HYPERLINK(1)",
  "\\",
  'ends with "',
  "é 😀 \u2028 '\" # : - [x] {y}",
  "--b\r\nContent-Disposition: form-data; name=admin\r\n\r\n1",
  "END:VEVENT\nBEGIN:VEVENT",
  "\x1e{}",
];

function write(type: string, bodyText: string, v: unknown): string {
  return sent({ headers: { "Content-Type": type }, bodyText }, of(v)).body ?? "";
}

function of(v: unknown) {
  return contextOf(JSON.stringify({ data: { v } }));
}

function problemOf(type: string, bodyText: string, v: unknown): string {
  const built = build({ headers: { "Content-Type": type }, bodyText }, of(v));
  return built.ok ? "" : (built.errors[0]?.message ?? "");
}

describe("no value adds a line, a field, or an operation:", () => {
  it.each([
    "application/x-ndjson",
    "application/ndjson",
    "APPLICATION/X-NDJSON; charset=UTF-8",
    "application/jsonl",
    "application/x-jsonlines",
    "text/x-ndjson",
    "application/stream+json",
    "application/vnd.elasticsearch+x-ndjson;compatible-with=8",
  ])("%s", (type) => {
    const bulk = '{"index":{"_id":{{ data.v }}}}\n{"name":"n {{ data.v }}"}\n';
    for (const v of hostile) {
      const text = write(type, bulk, v);
      const lines = text.split("\n");
      expect(lines).toHaveLength(3);
      expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual([
        { index: { _id: v } },
        { name: `n ${v}` },
      ]);
    }
  });

  it.each(["application/json-seq", "application/geo+json-seq"])("%s", (type) => {
    for (const v of hostile) {
      const text = write(type, '\x1e{\n"a":"{{ data.v }}"}\n\x1e{"b":{{ data.v }}}\n', v);
      const [, ...records] = text.split("\x1e");
      expect(records.map((record) => JSON.parse(record))).toEqual([{ a: v }, { b: v }]);
    }
  });

  it.each([
    ["text/csv", ","],
    ["Text/CSV; charset=utf-8; header=present", ","],
    ["application/csv", ";"],
    ["text/comma-separated-values", "\t"],
  ])("%s with %j", (type, mark) => {
    const rows = [`id,5" nail; x`, `{{ data.v }},"said {{ data.v }}",a {{ data.v }} b,9`, ""];
    const template = rows.join("\r\n").replaceAll(",", mark);
    for (const v of hostile) {
      expect(readCsv(write(type, template, v), mark)).toEqual([
        ["id", '5" nail; x'].flatMap((cell) => cell.split(mark)),
        [v, `said ${v}`, `a ${v} b`, "9"],
        [""],
      ]);
    }
  });

  it.each(["application/graphql", "application/graphql; charset=utf-8"])("%s", (type) => {
    for (const v of hostile) {
      const text = write(type, 'mutation { a(b: "{{ data.v }}", c: {{ data.v }}) }', v);
      const written = JSON.stringify(v);
      expect(text).toBe(`mutation { a(b: ${written}, c: ${written}) }`);
    }
  });

  it.each(["application/yaml", "text/x-yaml", "application/openapi+yaml"])("%s", (type) => {
    const template =
      'a: {{ data.v }}\nb: "n {{ data.v }}"\nc: [1, {{ data.v }}] # it\'s\nd:\n  - {{ data.v }}\n';
    for (const v of hostile)
      expect(parse(write(type, template, v))).toEqual({ a: v, b: `n ${v}`, c: [1, v], d: [v] });
  });

  it.each(["text/calendar", "text/vcard; charset=utf-8", "text/x-vcard"])("%s", (type) => {
    for (const v of hostile.filter((text) => !text.includes("\x1e"))) {
      const text = write(type, "BEGIN:VEVENT\r\nSUMMARY:{{ data.v }}\r\nEND:VEVENT\r\n", v);
      const [, summary = "", ...rest] = text.split(/\r\n|\n|\r/);
      expect(rest).toEqual(["END:VEVENT", ""]);
      const plain = summary.replace(/\\(.)/g, (_, character) =>
        character === "n" ? "\n" : character,
      );
      expect(plain).toBe(`SUMMARY:${v.replaceAll("\r\n", "\n")}`);
    }
  });

  it.each([
    "multipart/form-data; boundary=b",
    "multipart/mixed; boundary=b",
    "Multipart/Related; boundary=b",
  ])("%s as text", (type) => {
    const template =
      '--b\r\nContent-Disposition: form-data; name="f"; filename="{{ data.v }}"\r\n\r\n{{ data.v }}\r\n--b--\r\n';
    expect(write(type, template, 'a "b" \\ c')).toContain(
      'filename="a %22b%22 %5C c"\r\n\r\na "b" \\ c\r\n',
    );
    expect(problemOf(type, template, "a\r\nX: 1")).toContain("line break");
    expect(problemOf(type, template, "x--b")).toContain("boundary");
  });

  test("message/rfc822", () => {
    const template = "Subject: {{ data.v }}\r\n\r\nHi\r\n{{ data.v }}\r\n";
    expect(write("message/rfc822", template, "a: b")).toBe("Subject: a: b\r\n\r\nHi\r\na: b\r\n");
    expect(problemOf("message/rfc822", template, "a\r\nBcc: eve@example.com")).toContain(
      "line break",
    );
  });

  it.each([
    ["text/tab-separated-values", "a\tb", /tab-separated/],
    ["text/TSV; charset=utf-8", "a\nb", /tab-separated/],
    ["text/uri-list", "https://a.example\nhttps://b.example", /strip_newlines/],
    ["text/event-stream", "x\ndata: y", /strip_newlines/],
    ["application/graphql", { a: 1 }, /variables/],
    ["application/x-ndjson", "{{ data.v }} {", /valid JSON/],
  ])("%s rejects what it can't express", (type, v, message) => {
    const template = type === "application/x-ndjson" ? '{"a":{{ data.v }}\n' : "x {{ data.v }}\n";
    expect(problemOf(type, template, v)).toMatch(message);
  });
});

test("a format keeps the types of values, and the JSON that a template writes itself", () => {
  expect(
    write("application/x-ndjson", '{"a":{{ data.v }},"b":{{ data.v | json }}}\n', [1, null]),
  ).toBe('{"a":[1,null],"b":[1,null]}\n');
  expect(write("text/csv", "{{ data.v }},{{ data.v | json }}\n", { a: 1 })).toBe(
    '"{""a"":1}","{""a"":1}"\n',
  );
  expect(write("text/csv", "{{ data.v }},+49 {{ data.v }},\n", -5)).toBe("-5,+49 -5,\n");
  expect(write("application/yaml", "a: {{ data.v }}\n", null)).toBe("a: null\n");
  expect(write("text/tab-separated-values", "a\t{{ data.v }}\n", 'x "y"')).toBe('a\tx "y"\n');
});

test("the JSON body of a line format is a line for each item of its list", () => {
  const body = [{ index: { _id: "{{ data.v }}" } }, { name: "{{ data.v }}" }];
  const headers = { "content-type": "Application/X-NDJSON" };
  expect(sent({ headers, body }, of("a\nb")).body).toBe(
    '{"index":{"_id":"a\\nb"}}\n{"name":"a\\nb"}\n',
  );
  expect(sent({ headers, body: { a: "{{ data.v }}" } }, of(1)).body).toBe('{"a":1}\n');
  expect(sent({ headers: { "content-type": "application/json-seq" }, body: [1, {}] }).body).toBe(
    "\x1e1\n\x1e{}\n",
  );
});

it.each(["text/plain", "text/markdown", "application/octet-stream", ""])(
  "%j is inserted as it is",
  (type) => {
    expect(write(type, "a {{ data.v }}", 'x"\n,')).toBe('a x"\n,');
  },
);

/** Rows of RFC 4180 with another separator. */
function readCsv(text: string, mark: string): string[][] {
  const rows: string[][] = [[""]];
  let isQuoted = false;
  const add = (character: string) => {
    const row = rows.at(-1) ?? [];
    row.push(`${row.pop() ?? ""}${character}`);
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    const isEmpty = rows.at(-1)?.at(-1) === "";
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      add('"');
      at += 1;
    } else if (character === '"' && (isQuoted || isEmpty)) isQuoted = !isQuoted;
    else if (!isQuoted && character === mark) rows.at(-1)?.push("");
    else if (!isQuoted && character === "\n") rows.push([""]);
    else if (isQuoted || character !== "\r") add(character);
  }
  return rows;
}
