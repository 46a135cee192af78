import { expect, test } from "vitest";
import { addToRequest } from "./add-to-request.ts";
import { newRequest, type RequestDraft } from "./request-draft.ts";

function add(draft: Partial<RequestDraft>, ...paths: readonly string[]): RequestDraft {
  let after: RequestDraft = { ...newRequest, ...draft };
  for (const path of paths) after = { ...after, ...addToRequest(after, path)?.change };
  return after;
}

test("fields picked in sequence become body rows under their own names", () => {
  const { bodyFields } = add(
    {},
    "data.object.email",
    'data.object["odd name"]',
    "data.items[0]",
    "data.items[0].email",
    "id",
  );
  expect(bodyFields.map(({ name, value }) => [name, value])).toEqual([
    ["email", "{{ data.object.email }}"],
    ["odd name", '{{ data.object["odd name"] }}'],
    ["items", "{{ data.items[0] }}"],
    ["email_2", "{{ data.items[0].email }}"],
    ["id", "{{ id }}"],
  ]);
  expect(new Set(bodyFields.map(({ key }) => key)).size).toBe(5);
});

test("a field picked for a multipart body becomes a field, or fills in the value of a file", () => {
  const part = { key: 0, name: "", value: "", fileName: "", contentType: "" };
  const file = { ...part, kind: "base64", name: "pdf" } as const;
  const original = { ...part, key: 1, kind: "delivery", name: "raw" } as const;
  const { parts } = add({ bodyMode: "multipart", parts: [original, file] }, "data.pdf", "id");
  expect(parts.map(({ kind, name, value }) => [kind, name, value])).toEqual([
    ["delivery", "raw", ""],
    ["base64", "pdf", "{{ data.pdf }}"],
    ["field", "id", "{{ id }}"],
  ]);
});

test("a row with a name and no value takes the field and keeps its name", () => {
  const named = [{ key: 7, name: "contact", value: "" }];
  expect(add({ bodyFields: named }, "data.email").bodyFields).toEqual([
    { key: 7, name: "contact", value: "{{ data.email }}" },
  ]);
});

test("JSON keeps every typed character and stays valid", () => {
  const typed = '{ "amount": 1.10, "a": [1,\n2] }\n';
  const { bodyJson } = add({ bodyMode: "json", bodyJson: typed }, 'data["say \\"hi\\""]', "data.a");
  expect(bodyJson.startsWith('{ "amount": 1.10, "a": [1,\n2]')).toBe(true);
  expect(JSON.parse(bodyJson)).toEqual({
    amount: 1.1,
    a: [1, 2],
    'say "hi"': '{{ data["say \\"hi\\""] }}',
    a_2: "{{ data.a }}",
  });
  expect(JSON.parse(add({ bodyMode: "json", bodyJson: " " }, "id").bodyJson)).toEqual({
    id: "{{ id }}",
  });
});

test(
  "a method without a body adds it to the query, an empty body " +
    "becomes JSON, and text and lists are unchanged",
  () => {
    expect(add({ method: "GET" }, "id").query).toMatchObject([{ name: "id", value: "{{ id }}" }]);
    expect(add({ bodyMode: "none" }, "id")).toMatchObject({
      bodyMode: "fields",
      bodyFields: [{ name: "id" }],
    });
    expect(addToRequest({ ...newRequest, bodyMode: "text", bodyText: "x" }, "id")).toBeNull();
    expect(addToRequest({ ...newRequest, bodyMode: "json", bodyJson: "[1]" }, "id")).toBeNull();
    expect(addToRequest({ ...newRequest, bodyMode: "json", bodyJson: '{"a": ' }, "id")).toBeNull();
  },
);
