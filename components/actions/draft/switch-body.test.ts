import { expect, test } from "vitest";
import { type ActionDraft, type BodyMode, newDraft } from "./action-draft.ts";
import { switchBody } from "./switch-body.ts";

function switched(draft: Partial<ActionDraft>, mode: BodyMode): ActionDraft {
  const before = { ...newDraft, ...draft };
  const result = switchBody(before, mode);
  if (!result.ok) throw new Error(result.message);
  return { ...before, ...result.change };
}

const rows = [
  { key: 0, name: "email", value: "{{ data.email }}" },
  { key: 1, name: "note", value: 'say "hi"' },
];

test("rows become JSON and come back as they were", () => {
  const asJson = switched({ bodyMode: "fields", bodyFields: rows }, "json");
  expect(asJson.bodyJson).toBe('{\n  "email": "{{ data.email }}",\n  "note": "say \\"hi\\""\n}');
  expect(switched({ ...asJson, bodyFields: [] }, "fields").bodyFields).toEqual(rows);
});

test("JSON becomes text letter by letter, with the Content-Type that it had", () => {
  const asText = switched({ bodyMode: "json", bodyJson: '{"a": 1.10}' }, "text");
  expect(asText.bodyText).toBe('{"a": 1.10}');
  expect(asText.headers).toMatchObject([{ name: "Content-Type", value: "application/json" }]);
  const own = [{ key: 4, name: "content-type", value: "text/csv" }];
  expect(switched({ bodyMode: "json", bodyJson: "[]", headers: own }, "text").headers).toEqual(own);
  expect(switched(asText, "json").bodyJson).toBe('{"a": 1.10}');
});

test("what rows would lose stays JSON, and the reason is said", () => {
  const refusals: readonly [json: string, why: RegExp][] = [
    ['{"a": 1}', /"a" is no text/],
    ['{"a": {"b": "c"}}', /"a" is no text/],
    ["[1]", /object/],
    ["{", /not JSON yet/],
  ];
  for (const [bodyJson, why] of refusals)
    expect(switchBody({ ...newDraft, bodyMode: "json", bodyJson }, "fields")).toEqual({
      ok: false,
      message: expect.stringMatching(why),
    });
});

test("taking the body away keeps what was typed for when it is wanted again", () => {
  const none = switched({ bodyMode: "fields", bodyFields: rows }, "none");
  expect(switched(none, "fields").bodyFields).toEqual(rows);
});
