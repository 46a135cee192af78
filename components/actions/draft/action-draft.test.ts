import { expect, test } from "vitest";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { type ActionDraft, newDraft, readDraft, toDraft } from "./action-draft.ts";
import { changeRequest } from "./edit-steps.ts";
import { newRequest, type RequestDraft } from "./request-draft.ts";

function oneCall(request: Partial<RequestDraft>): ActionDraft {
  return { ...newDraft, steps: changeRequest(newDraft.steps, 0, request) };
}

function save(request: Partial<RequestDraft>) {
  const draft = oneCall({ url: "https://crm.example/people", ...request });
  const read = readDraft({ ...draft, name: "To the CRM" });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return callActionSchema.parse(read.input);
}

test("a saved action becomes the same draft again, for every body format", () => {
  const drafts: Partial<RequestDraft>[] = [
    {
      bodyMode: "fields",
      bodyFields: [{ key: 0, name: "email", value: "{{ data.object.email }}" }],
    },
    { bodyMode: "json", bodyJson: '{\n  "amount": 12345678901234567890123,\n  "price": 1.10\n}' },
    { bodyMode: "text", bodyText: "a={{ id }}" },
    { bodyMode: "none" },
    {
      bodyMode: "multipart",
      parts: [
        {
          key: 0,
          kind: "field",
          name: "a",
          value: "{{ id }}",
          fileName: "",
          contentType: "text/csv",
        },
        { key: 1, kind: "text", name: "b", value: "", fileName: "b.txt", contentType: "" },
        { key: 2, kind: "base64", name: "c", value: "{{ c }}", fileName: "c.pdf", contentType: "" },
        { key: 3, kind: "delivery", name: "d", value: "", fileName: "d", contentType: "text/xml" },
      ],
    },
  ];
  for (const draft of drafts) {
    const saved = save({ ...draft, query: [{ key: 0, name: "q", value: "{{ id }}" }] });
    const { auth: _auth, ...request } = saved.request;
    const steps = [{ key: "call", work: { request: draft } }];
    const again = toDraft({ ...saved, position: 3, request, steps: null }, new Set());
    expect(again).toMatchObject({ steps, position: "3" });
    expect(request.query).toEqual({ q: "{{ id }}" });
  }
});

test("numbers in JSON keep their digits", () => {
  const { request } = save({ bodyMode: "json", bodyJson: "[12345678901234567890123]" });
  expect(request.body).toEqual([new ExactNumber("12345678901234567890123")]);
});

test("credentials stay if they aren't typed again, and can be removed", () => {
  expect(save({ auth: { ...newRequest.auth, type: "keep" } }).request).not.toHaveProperty("auth");
  expect(save({}).request.auth).toBeNull();
});

test("invalid values are reported at their field", () => {
  const twice = [
    { key: 0, name: "X-A", value: "1" },
    { key: 1, name: "x-a", value: "2" },
  ];
  expect(
    readDraft({
      ...oneCall({ headers: twice, bodyMode: "json", bodyJson: "{" }),
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
