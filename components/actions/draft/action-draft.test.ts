import { expect, test } from "vitest";
import { callActionSchema } from "#lib/schema/action/action.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { type ActionDraft, newDraft, readDraft, toDraft } from "./action-draft.ts";

function save(draft: Partial<ActionDraft>) {
  const read = readDraft({
    ...newDraft,
    name: "To the CRM",
    url: "https://crm.example/people",
    ...draft,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return callActionSchema.parse(read.input);
}

test("a saved action becomes the same draft again, for every body format", () => {
  const drafts: Partial<ActionDraft>[] = [
    {
      bodyMode: "fields",
      bodyFields: [{ key: 0, name: "email", value: "{{ data.object.email }}" }],
    },
    { bodyMode: "json", bodyJson: '{\n  "amount": 12345678901234567890123,\n  "price": 1.10\n}' },
    { bodyMode: "text", bodyText: "a={{ id }}" },
    { bodyMode: "none" },
  ];
  for (const draft of drafts) {
    const saved = save({ ...draft, query: [{ key: 0, name: "q", value: "{{ id }}" }] });
    const { auth: _auth, ...request } = saved.request;
    expect(toDraft({ ...saved, position: 3, request }, false)).toMatchObject({
      ...draft,
      position: "3",
    });
    expect(request.query).toEqual({ q: "{{ id }}" });
  }
});

test("numbers in JSON keep their digits", () => {
  const { request } = save({ bodyMode: "json", bodyJson: "[12345678901234567890123]" });
  expect(request.body).toEqual([new ExactNumber("12345678901234567890123")]);
});

test("credentials stay if they aren't typed again, and can be removed", () => {
  expect(save({ auth: { ...newDraft.auth, type: "keep" } }).request).not.toHaveProperty("auth");
  expect(save({}).request.auth).toBeNull();
});

test("invalid values are reported at their field", () => {
  const twice = [
    { key: 0, name: "X-A", value: "1" },
    { key: 1, name: "x-a", value: "2" },
  ];
  expect(
    readDraft({
      ...newDraft,
      headers: twice,
      bodyMode: "json",
      bodyJson: "{",
      options: { ...newDraft.options, timeoutMs: "" },
    }),
  ).toEqual({
    ok: false,
    errors: [
      { path: "request.headers", code: "duplicate", message: "has x-a twice", name: "x-a" },
      {
        path: "request.body",
        code: "invalid_json",
        message: expect.stringMatching(/^line 1, column 2: /),
      },
      {
        path: "timeoutMs",
        code: "out_of_range",
        message: "must be from 0.1 to 60 seconds",
      },
    ],
  });
});
