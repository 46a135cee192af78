import { expect, test } from "vitest";
import { readXml } from "./read-xml.ts";

const readValue = (text: string) => {
  const read = readXml(text);
  return read.ok ? read.value : read.message;
};

test.each([
  ["elements by name", "<o><a>1</a><b>x</b></o>", { o: { a: "1", b: "x" } }],
  ["a single text", "<id>7</id>", { id: "7" }],
  [
    "attributes, and text beside them",
    '<i s="a&amp;b">2</i>',
    { i: { "@s": "a&b", "#text": "2" } },
  ],
  ["text beside elements", "<p>Hi <b>you</b>!</p>", { p: { b: "you", "#text": "Hi !" } }],
  ["several of a name", "<o><i>1</i><n/><i>3</i></o>", { o: { i: ["1", "3"], n: "" } }],
  [
    "prefixes as sent",
    '<s:E xmlns:s="u" s:a="1"><s:B/></s:E>',
    { "s:E": { "@s:a": "1", "s:B": "" } },
  ],
  ["no declarations", '<a xmlns="u" xmlns:b="v">x</a>', { a: "x" }],
  ["indented text", "<a>\n  x y\n</a>", { a: "x y" }],
  ["CDATA as it is", "<a>\n  <![CDATA[ <b> & ]]>\n</a>", { a: " <b> & " }],
  ["references", "<a>&#233;&#x1F600;&lt;&apos;&quot;</a>", { a: "é😀<'\"" }],
  ["no comments and instructions", "<?x y?><a><!-- n -->1<?z?>2</a>", { a: "12" }],
  [
    "names of a prototype",
    "<__proto__><a>1</a></__proto__>",
    JSON.parse('{"__proto__":{"a":"1"}}'),
  ],
  ["numbers as text", "<a>0012.50</a>", { a: "0012.50" }],
])("XML as a value: %s", (_what, text, value) => {
  expect(readValue(text)).toEqual(value);
});

const xsi = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"';
test.each([
  [`<a ${xsi}><b i:nil="true"/></a>`, { a: { b: null } }],
  [`<a ${xsi}><b i:nil="1" id="3"></b></a>`, { a: { b: { "@id": "3" } } }],
  [
    `<a ${xsi}><b i:nil="false">x</b><c i:type="t:C"/></a>`,
    { a: { b: "x", c: { "@i:type": "t:C" } } },
  ],
  [
    `<a><b nil="true"/><c x:nil="true"/></a>`,
    { a: { b: { "@nil": "true" }, c: { "@x:nil": "true" } } },
  ],
])("an element is null if its schema says so: %s", (text, value) => {
  expect(readValue(text)).toEqual(value);
});

const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>`;
test.each([
  ["<a><b></a>", /^line 1, column 10: unexpected close tag$/],
  ["<a>\n<b", /line 2, column \d+: /],
  ["<a/><b/>", /one root/],
  ["<a>".repeat(100_000), /deeper than 64 levels/],
  [`<a>${"<b/>".repeat(60_000)}</a>`, /more than 50,000 elements and attributes/],
  [`<a>${"x".repeat(2 * 1024 * 1024)}</a>`, /more than 2,097,152 characters/],
  [laughs, /DOCTYPE/],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /DOCTYPE/],
  ["<a>&nbsp;</a>", /undefined entity/],
  ['<a b="&x;"/>', /undefined entity/],
  ["<a b='<'/>", /disallowed character/],
  ["", /root/],
])("what isn't well-formed, or costs too much, is refused: %.20s", (text, why) => {
  expect(readXml(text)).toEqual({ ok: false, message: expect.stringMatching(why) });
});

test("of a document that is cut, its start is read", () => {
  expect(readXml('<o a="1"><i>1</i><i><j>2</j><k>3', { isCut: true })).toEqual({
    ok: true,
    value: { o: { "@a": "1", i: ["1", { j: "2", k: "" }] } },
  });
});
