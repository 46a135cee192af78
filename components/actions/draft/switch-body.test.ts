import { expect, test } from "vitest";
import { type BodyMode, newRequest, type RequestDraft } from "./request-draft.ts";
import { switchBody } from "./switch-body.ts";

function switched(draft: Partial<RequestDraft>, mode: BodyMode): RequestDraft {
  const before = { ...newRequest, ...draft };
  const result = switchBody(before, mode);
  if (!result.ok) throw new Error(result.message);
  return { ...before, ...result.change };
}

const rows = [
  { key: 0, name: "email", value: "{{ data.email }}" },
  { key: 1, name: "note", value: 'say "hi"' },
];

test("rows become JSON and the same rows again", () => {
  const asJson = switched({ bodyMode: "fields", bodyFields: rows }, "json");
  expect(asJson.bodyJson).toBe('{\n  "email": "{{ data.email }}",\n  "note": "say \\"hi\\""\n}');
  expect(switched({ ...asJson, bodyFields: [] }, "fields").bodyFields).toEqual(rows);
});

test("rows become the fields of a multipart body, without a Content-Type, and the same rows again", () => {
  const headers = [{ key: 0, name: "content-type", value: "application/json" }];
  const asParts = switched({ bodyMode: "fields", bodyFields: rows, headers }, "multipart");
  expect(asParts).toMatchObject({
    headers: [],
    parts: rows.map((row) => ({ ...row, kind: "field" })),
  });
  expect(switched({ ...asParts, bodyFields: [] }, "fields").bodyFields).toEqual(rows);
  expect(switched(newRequest, "multipart").parts).toHaveLength(1);
  const twice = { ...asParts, parts: [...asParts.parts, ...asParts.parts] };
  expect(switchBody(twice, "json")).toMatchObject({ ok: false });
  const [part] = asParts.parts;
  if (part === undefined) throw new Error("there is no part");
  for (const kind of ["text", "base64", "delivery"] as const)
    expect(switchBody({ ...asParts, parts: [{ ...part, kind }] }, "json")).toEqual({
      ok: false,
      message: expect.stringContaining("file"),
    });
});

test("JSON becomes the same text, with its Content-Type", () => {
  const asText = switched({ bodyMode: "json", bodyJson: '{"a": 1.10}' }, "text");
  expect(asText.bodyText).toBe('{"a": 1.10}');
  expect(asText.headers).toMatchObject([{ name: "Content-Type", value: "application/json" }]);
  const own = [{ key: 4, name: "content-type", value: "text/csv" }];
  expect(switched({ bodyMode: "json", bodyJson: "[]", headers: own }, "text").headers).toEqual(own);
  expect(switched(asText, "json").bodyJson).toBe('{"a": 1.10}');
});

test("JSON that rows can't show stays JSON, with the reason", () => {
  const cases: readonly [json: string, why: RegExp][] = [
    ['{"a": 1}', /"a" isn't text/],
    ['{"a": {"b": "c"}}', /"a" isn't text/],
    ["[1]", /object/],
    ["{", /valid JSON yet/],
  ];
  for (const [bodyJson, why] of cases)
    expect(switchBody({ ...newRequest, bodyMode: "json", bodyJson }, "fields")).toEqual({
      ok: false,
      message: expect.stringMatching(why),
    });
});

test("removing the body keeps what was typed", () => {
  const none = switched({ bodyMode: "fields", bodyFields: rows }, "none");
  expect(switched(none, "fields").bodyFields).toEqual(rows);
});
