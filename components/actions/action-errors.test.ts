import { expect, test } from "vitest";
import { errorsInJson, errorsUnder, listErrors } from "./action-errors.ts";

const json = `{
  "email": "{{ data.mail }}",
  "list": [1, "{{ id | nofilter }}"]
}`;

test("errors in a JSON body show line and column of its text", () => {
  const errors = new Map([
    ["request.body.email", ["data.mail is not in this payload"]],
    ["request.body.list[1]", ["line 1, column 1: there is no filter nofilter"]],
    ["request.body", ["line 9, column 9: broken"]],
    ["request.url", ["must not be empty"]],
  ]);
  expect(errorsInJson(errors, "request.body", json)).toEqual([
    "line 2, column 12: data.mail is not in this payload",
    "line 3, column 16: there is no filter nofilter",
    "line 9, column 9: broken",
  ]);
});

test("errors of a failed save come before those of the preview, which ignores empty fields", () => {
  const preview = {
    ok: false,
    message: "",
    fields: { "request.url": "must not be empty", name: "is odd" },
  } as const;
  expect([...listErrors(undefined, preview)]).toEqual([["name", ["is odd"]]]);
  const saved = { ok: false, message: "", fields: { "request.url": "must not be empty" } } as const;
  expect([...listErrors(saved, preview)]).toEqual([["request.url", ["must not be empty"]]]);
});

test("errors inside a field show the path to it", () => {
  const errors = new Map([["filter.all.0.path", ["is no name"]]]);
  expect(errorsUnder(errors, "filter")).toEqual(["all.0.path: is no name"]);
});
