import { expect, test } from "vitest";
import { readXml } from "#lib/core/mapping/payload/read-xml.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";

const { db } = withDatabase();

async function valueAt(document: string, path: readonly string[]): Promise<string | null> {
  const [row] = await db.$queryRaw<{ value: string | null }[]>`
    select payload_value(${Buffer.from(document)}::bytea, ${[...path]}::text[]) as value`;
  return row?.value ?? null;
}

/** The texts of a payload with their paths. */
function listTexts(value: unknown, path: readonly string[]): (readonly [string[], string])[] {
  if (typeof value === "string") return [[[...path], value]];
  return Object.entries(value ?? {}).flatMap(([name, inside]) =>
    listTexts(inside, [...path, name]),
  );
}

test.each([
  "<id>7</id>",
  "<o><a>1</a><b> x\n</b><c/><d></d></o>",
  "<o><i><j>1</j></i><i><j>2</j><k>3</k></i><n><j>4</j></n></o>",
  "<o><i>a</i><x>b</x><i>c</i></o>",
  '<?xml version="1.0"?>\n<!-- <a>0</a> --><s:E xmlns:s="u"><s:B><o xmlns="v"><a s:b="1 > 0" c=\'"\'><d>x</d></a></o></s:B></s:E>',
  "<a><b>&lt;&amp;amp;&#233;&#x1F600;&quot;</b><c d='&#38;'/></a>",
  "<a><b><![CDATA[<c>]] ]&gt;</c>]]></b><c>1</c></a>",
  "<a><a><a>1</a></a></a>",
  "<a><b><c>1</c></b><?x <b> ?><d><c>2</c></d></a>",
  "\ufeff  <a>é</a>",
])("a search reads XML as a mapping does: %s", async (document) => {
  const read = readXml(document);
  const texts = listTexts(read.ok ? read.value : null, []);
  expect(texts.length).toBeGreaterThan(0);
  for (const [path, text] of texts.filter(([path]) => path.at(-1) !== "#text"))
    expect([path, await valueAt(document, path)]).toEqual([path, text]);
});

test.each([
  ["<o><i>a</i></o>", ["o", "i", "0"]],
  ["<o><i>a</i><i>b</i></o>", ["o", "i"]],
  ["<o><i><j>a</j></i><i><j>b</j></i></o>", ["o", "i", "j"]],
  ["<o><i a='1'>b</i></o>", ["o", "i"]],
  ["<o><i><j/></i></o>", ["o", "i"]],
  ["<o><i>a</i></o>", ["i"]],
  ["<o><p><i>a</i></p></o>", ["o", "i"]],
  ["<o>", ["o", "i"]],
  ["<", ["o"]],
])("what the payload of %s doesn't have at %j isn't found", async (document, path) => {
  expect(await valueAt(document, path)).toBeNull();
});
