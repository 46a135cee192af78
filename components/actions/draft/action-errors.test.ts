import { expect, test } from "vitest";
import { describeFieldError, reject } from "#lib/schema/field/command-result.ts";
import { errorsInJson, listErrors, namedTextsUnder } from "./action-errors.ts";

const json = `{
  "email": "{{ data.mail }}",
  "list": [1, "{{ id | nofilter }}"]
}`;

test("errors in a JSON body show line and column of its text", () => {
  const preview = reject("", [
    {
      path: "request.body.email",
      code: "missing_name",
      message: "data.mail is not in this payload",
    },
    {
      path: "request.body.list[1]",
      code: "invalid_template",
      message: "there is no filter nofilter",
      line: 1,
      column: 1,
    },
    { path: "request.body", code: "invalid_json", message: "line 9, column 9: broken" },
    { path: "request.url", code: "invalid_value", message: "must start with https://" },
  ]);
  const errors = listErrors(undefined, preview);
  expect(errorsInJson(errors, "request.body", json).map(describeFieldError)).toEqual([
    "line 2, column 12: data.mail is not in this payload",
    "line 3, column 16: there is no filter nofilter",
    "line 9, column 9: broken",
  ]);
});

test("errors of a failed save come before those of the preview, which ignores empty fields", () => {
  const empty = { path: "request.url", code: "required", message: "must not be empty" } as const;
  const odd = { path: "name", code: "invalid_value", message: "is odd" } as const;
  const preview = reject("", [empty, odd]);
  expect([...listErrors(undefined, preview)]).toEqual([["name", [odd]]]);
  expect([...listErrors(reject("", [empty]), preview)]).toEqual([["request.url", [empty]]]);
});

test("errors inside a field show the path to it", () => {
  const error = {
    path: "filter.all.0.path",
    code: "invalid_value",
    message: "is no name",
  } as const;
  const errors = new Map([["filter.all.0.path", [error]]]);
  expect(namedTextsUnder(errors, "filter")).toEqual(["all.0.path: is no name"]);
});
