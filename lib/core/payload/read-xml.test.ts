import { expect, test } from "vitest";
import { readXml } from "./read-xml.ts";

test("elements, attributes, repeated names and text keep their names and order", () => {
  const read = readXml(
    '<?xml version="1.0"?><order id="7"><item ' +
      'sku="a&amp;b">2</item><item>3</item><note><![CDATA[<b>]]></note><empty/></order>',
  );
  expect(read).toEqual({
    ok: true,
    value: {
      order: { "@id": "7", item: [{ "@sku": "a&b", "#text": "2" }, "3"], note: "<b>", empty: "" },
    },
  });
});

test("a broken, very deep, or endless document, or one with its own entities, is rejected cheaply", () => {
  const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>`;
  const rejections: readonly [text: string, why: RegExp][] = [
    ["<a><b></a>", /1:\d+/],
    ["<a>".repeat(100_000), /deeper than 64/],
    [`<a>${"<b/>".repeat(20_000)}</a>`, /more than 10000/],
    [laughs, /entity/i],
    ["", /./],
  ];
  for (const [text, why] of rejections)
    expect(readXml(text)).toEqual({ ok: false, message: expect.stringMatching(why) });
  const named = readXml("<__proto__><a>1</a></__proto__>");
  expect(named.ok && Object.keys(named.value)).toEqual(["__proto__"]);
});
