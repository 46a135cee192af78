import { expect, test } from "vitest";
import { findWrongType } from "#lib/core/mapping/encode/check-body-type.ts";
import { readMultipartForm } from "#lib/core/mapping/payload/multipart.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { requestSchema } from "#lib/schema/act/action-request.ts";
import { build, requestOf } from "./testing/build.ts";

const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
const payload = {
  id: "evt_1",
  data: {
    name: 'a"\r\nContent-Type: text/html\r\n\r\nx',
    pdf: bytes.toString("base64"),
    url: bytes.toString("base64url"),
    list: ["x", 2, true],
    text: "l1\nl2\r\nl3\r--",
    nothing: null,
    long: "x".repeat(1_100),
    object: { a: 1 },
  },
};
const context = contextOf(JSON.stringify(payload));
type Part = Readonly<Record<string, unknown>>;

function parse(multipart: readonly Part[]) {
  return requestSchema.safeParse({ method: "POST", url: "https://a.example", multipart });
}

function buildParts(multipart: readonly Part[], auth: Parameters<typeof build>[2] = null) {
  const parsed = parse(multipart);
  if (!parsed.success) throw new Error(parsed.error.message);
  return build({ multipart: parsed.data.multipart ?? [] }, context, auth);
}

/** The form as another program reads it. */
async function receive(multipart: readonly Part[], auth: Parameters<typeof build>[2] = null) {
  const built = buildParts(multipart, auth);
  if (!built.ok) throw new Error(JSON.stringify(built.errors));
  const { body, headers } = built.request;
  const form = await new Response(body?.slice(), {
    headers: [...headers].map(([a, b]) => [a, b]),
  }).formData();
  const contentType =
    new Map(headers.map(([name, value]) => [name.toLowerCase(), value])).get("content-type") ?? "";
  return { form, body: Buffer.from(body ?? []), contentType };
}

test("fields, and files from base64, a text, and the delivery, arrive as they are", async () => {
  const { form, body, contentType } = await receive([
    { name: "id", value: "{{ id }}" },
    { name: "list", value: "{{ data.list }}" },
    { name: "meta", value: "{{ data.object | json }}", contentType: "application/json" },
    {
      name: "pdf",
      content: "base64",
      value: "{{ data.pdf }}",
      fileName: "{{ id }}.pdf",
      contentType: "application/pdf",
    },
    {
      name: "url",
      content: "base64",
      value: "data:image/png;base64,{{ data.url }}",
      fileName: "ü 山.png",
    },
    { name: "note", value: "{{ data.text }}", fileName: "note.txt", contentType: "text/plain" },
    { name: "raw", content: "delivery", fileName: "raw.json", contentType: "application/json" },
    { name: "lines", value: "{{ data.text }}" },
  ]);
  expect(form.get("id")).toBe("evt_1");
  expect(form.getAll("list")).toEqual(["x", "2", "true"]);
  expect(form.get("lines")).toBe("l1\r\nl2\r\nl3\r\n--");
  const file = async (name: string) => {
    const found = form.get(name);
    if (typeof found === "string" || found === null) throw new Error(`${name} is no file`);
    return [found.name, found.type, Buffer.from(await found.arrayBuffer())];
  };
  expect(await file("pdf")).toEqual(["evt_1.pdf", "application/pdf", bytes]);
  expect(await file("url")).toEqual(["ü 山.png", "application/octet-stream", bytes]);
  expect(await file("note")).toEqual(["note.txt", "text/plain", Buffer.from(payload.data.text)]);
  expect(await file("raw")).toEqual([
    "raw.json",
    "application/json",
    Buffer.from(JSON.stringify(payload)),
  ]);
  const parts = readMultipartForm(body, contentType)?.parts ?? [];
  expect(parts.find(({ name }) => name === "meta")).toMatchObject({
    contentType: "application/json",
    fileName: null,
  });
});

test("no value adds a part, a header, or an end", async () => {
  const { form } = await receive([
    { name: "{{ data.name }}", value: "1" },
    { name: "b", value: "2", fileName: "{{ data.name }}" },
    { name: "c", value: "--\r\n------catchment-\r\n{{ data.name }}" },
  ]);
  expect([...form.keys()]).toHaveLength(3);
  const names = [...form.keys()].filter((name) => name !== "b" && name !== "c");
  expect(names).toEqual([expect.stringMatching(/^a.+Content-Type: text\/html/s)]);
  expect(form.get("c")).toContain("Content-Type: text/html");
  const typed = buildParts([{ name: "a", value: "1", contentType: "text/plain{{ data.name }}" }]);
  expect(typed).toMatchObject({ ok: false, code: "body_invalid" });
});

test("the same parts are the same bytes, and a secret doesn't change the boundary", async () => {
  const parts = [{ name: "a", value: "{{ id }}" }];
  const [one, two] = [await receive(parts), await receive(parts)];
  expect(one.body.equals(two.body)).toBe(true);
  const auth = (value: string) => ({ type: "body", name: "key", value }) as const;
  const [first, second] = [await receive(parts, auth("s1")), await receive(parts, auth("other"))];
  expect(first.contentType).toBe(second.contentType);
  expect([first.form.get("key"), second.form.get("key")]).toEqual(["s1", "other"]);
});

test.each([
  [{ name: "a", value: "{{ missing }}" }, "mapping_failed", "multipart.0.value"],
  [{ name: "{{ missing }}", value: "" }, "mapping_failed", "multipart.0.name"],
  [{ name: "a", value: "{{ data.object }}" }, "body_invalid", "multipart.0.value"],
  [
    { name: "a", content: "base64", value: "no base64!", fileName: "f" },
    "body_invalid",
    "multipart.0.value",
  ],
  [
    { name: "a", content: "base64", value: "{{ data.nothing }}", fileName: "f" },
    "body_invalid",
    "multipart.0.value",
  ],
  [{ name: "a", value: "{{ data.nothing }}", fileName: "f" }, "body_invalid", "multipart.0.value"],
  [
    { name: "a", content: "base64", value: "{{ data.pdf }}A", fileName: "f" },
    "body_invalid",
    "multipart.0.value",
  ],
  [{ name: "a", value: "1", contentType: "{{ id }}" }, "body_invalid", "multipart.0.contentType"],
  [{ name: "{{ data.long }}", value: "1" }, "body_invalid", "multipart.0.name"],
])("a part that can't be sent fails, and says where: %j", (part, code, at) => {
  expect(buildParts([part])).toMatchObject({ ok: false, code, errors: [{ at }] });
});

test("what the parts have together is limited", () => {
  const large = contextOf(JSON.stringify({ a: "x".repeat(1024 * 1024) }));
  const multipart = Array.from({ length: 50 }, (_, at) => ({
    ...({ name: `p${at}`, content: "text", value: "{{ payload.a }}" } as const),
    ...{ fileName: null, contentType: null },
  }));
  expect(build({ multipart }, large)).toMatchObject({
    ok: false,
    code: "body_invalid",
    errors: expect.arrayContaining([expect.objectContaining({ at: "multipart.5.value" })]),
  });
});

test.each([
  [[], /at least one part/],
  [[{ name: "", value: "a" }], /must not be empty/],
  [[{ name: "a", content: "base64", value: "x" }], /required for a file/],
  [[{ name: "a", content: "base64", fileName: "f" }], /required for a file in base64/],
  [[{ name: "a", content: "delivery" }], /required for a file/],
  [[{ name: "a", content: "delivery", fileName: "f", value: "x" }], /must be omitted/],
  [[{ name: "a", content: "path", value: "/etc/passwd" }], /must be text, base64, or delivery/],
  [Array.from({ length: 51 }, () => ({ name: "a" })), /at most 50 parts/],
])("%j can't be saved", (multipart, why) => {
  const parsed = parse(multipart);
  expect(parsed.success ? "" : JSON.stringify(parsed.error.issues)).toMatch(why);
});

test("multipart stands alone, and sets the Content-Type", () => {
  const multipart = [{ name: "a", value: "1" }];
  const saves = (more: object) =>
    requestSchema.safeParse({ method: "POST", url: "https://a.example", multipart, ...more })
      .success;
  expect(
    [{}, { body: "x" }, { bodyText: "x" }, { forward: {} }, { method: "GET" }].map(saves),
  ).toEqual([...[true, false, false, false, false]]);
  const parts = [
    { name: "a", content: "text", value: "1", fileName: null, contentType: null },
  ] as const;
  const typed = requestOf({ headers: { "content-type": "multipart/form-data" }, multipart: parts });
  expect(findWrongType(typed)).toMatchObject({ path: "headers.content-type", code: "conflict" });
  expect(build(typed)).toMatchObject({ ok: false, code: "header_invalid" });
});
