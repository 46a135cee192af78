import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readXml } from "#lib/core/mapping/payload/read-xml.ts";
import { isWhollyMasked, maskBody } from "./mask-body.ts";
import { startMasking } from "./mask-state.ts";

const secret = "jo@example.com";

function mask(body: string, ...fields: string[]): string {
  return Buffer.from(maskBody(Buffer.from(body), startMasking(fields))).toString();
}

describe("the fields of XML are masked by the names that the payload gives them", () => {
  test.each([
    ["email", "<a><email>x</email><b>1</b></a>", "<a><email>••••</email><b>1</b></a>"],
    ["a.EMAIL", "<a>\n  <email> x </email>\n</a>", "<a>\n  <email>••••</email>\n</a>"],
    ["payload.a.email", "<a><email><![CDATA[x]]></email></a>", "<a><email>••••</email></a>"],
    ["email", "<a><sf:email>x</sf:email></a>", "<a><sf:email>••••</sf:email></a>"],
    ["sf:email", "<a><sf:email>x</sf:email></a>", "<a><sf:email>••••</sf:email></a>"],
    ["c.email", "<s:c><s:email>x</s:email></s:c>", "<s:c><s:email>••••</s:email></s:c>"],
    ["id", "<a id='7' b=\"1\"/>", '<a id="••••" b="1"/>'],
    ["@id", '<a id="7"><id>8</id></a>', '<a id="••••"><id>8</id></a>'],
    ["id", '<a x:id = "7"/>', '<a x:id = "••••"/>'],
    ["c", '<a><c d="1">x<e>y</e>z</c><f/></a>', '<a><c d="••••">••••</c><f/></a>'],
    ["c.*", '<a><c d="1"><e>y</e></c></a>', '<a><c d="••••"><e>••••</e></c></a>'],
    ["e", "<a><e>••••<b>x</b></e></a>", "<a><e>••••</e></a>"],
    ["email", "<a><email/></a>", "<a><email>••••</email></a>"],
    ["i.1", "<a><i>x</i><i>y</i></a>", "<a><i>x</i><i>••••</i></a>"],
    ["i.e", "<a><i><e>x</e></i><i><e>y</e></i></a>", "<a><i><e>••••</e></i><i><e>••••</e></i></a>"],
    ["e", "<a><!-- e: x --><e><f>1</f><!-- y --></e></a>", "<a><!--••••--><e>••••</e></a>"],
    ["#text", '<a b="1">x</a>', '<a b="1">••••</a>'],
    [
      "email",
      '<a><j>{"email":"x","b":1}</j></a>',
      "<a><j>{&#34;email&#34;:&#34;••••&#34;,&#34;b&#34;:1}</j></a>",
    ],
    [
      "email",
      "<a><![CDATA[<b><email>x</email></b>]]></a>",
      "<a>&#60;b&#62;&#60;email&#62;••••&#60;/email&#62;&#60;/b&#62;</a>",
    ],
    [
      "none",
      "<?xml version=\"1.0\"?>\r\n<a b = '&amp;'>ü&#65;\n</a>\n",
      "<?xml version=\"1.0\"?>\r\n<a b = '&amp;'>ü&#65;\n</a>\n",
    ],
  ])("%s in %s", (field, body, expected) => expect(mask(body, field)).toBe(expected));
});

test.each([
  ["broken", "<a><b>x</a>"],
  ["a DOCTYPE", "<!DOCTYPE a><a>x</a>"],
  ["an instruction", "<a><?php echo 1?></a>"],
  ["masked text between elements", "<a>email=x<b/></a>"],
  ["too deep", `${"<a>".repeat(70)}${"</a>".repeat(70)}`],
])("XML that is %s is masked as a whole", (_what, body) => {
  const shown = maskBody(Buffer.from(body), startMasking(["email"]));
  expect(isWhollyMasked(shown)).toBe(true);
});

test("XML in a value is looked into, HTML stays, and a document that can't be read is hidden", () => {
  const inside = (text: string) => JSON.parse(mask(JSON.stringify({ text }), "email")).text;
  expect(inside(`<a><email>${secret}</email></a>`)).toBe("<a><email>••••</email></a>");
  expect(inside("<p>Hi<br>you")).toBe("<p>Hi<br>you");
  expect(inside(`<?xml version="1.0"?><!DOCTYPE a><email>${secret}</email>`)).toBe("••••");
});

test("property: what is masked never shows, and what is left reads as before", () => {
  const name = fc.constantFrom("a", "b", "email", "x:email");
  const write = (tag: string, hasAttribute: boolean, content: string) =>
    `<${tag}${hasAttribute ? ` email='${secret} "'` : ' b=">"'}>${content}</${tag}>`;
  const leaf = fc.tuple(name, fc.boolean(), fc.constantFrom("<![CDATA[ <k> ]]>", "k &lt;", ""));
  const element = fc.letrec<{ node: string; leaf: string; branch: string }>((tie) => ({
    node: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie("leaf"), tie("branch")),
    leaf: leaf.map(([tag, has, text]) => write(tag, has, tag.includes("email") ? secret : text)),
    branch: fc
      .tuple(name, fc.boolean(), fc.array(tie("node"), { minLength: 1, maxLength: 3 }))
      .map(([tag, has, inside]) => write(tag, has, `\n${inside.join("\n")}<!-- k -->`)),
  })).node;
  fc.assert(
    fc.property(element, (body) => {
      const shown = mask(`<root>${body}</root>`, "email");
      expect(shown).not.toContain(secret);
      expect(readXml(shown).ok).toBe(true);
      const other = mask(`<root>${body}</root>`, "other").replaceAll("<!--••••-->", "<!-- k -->");
      expect(other).toBe(`<root>${body}</root>`);
    }),
  );
});
