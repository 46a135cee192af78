import { expect, it } from "vitest";
import { checkResponse } from "./check-response.ts";

const page = { data: [], nextCursor: null };
const check =
  (status: number, body: unknown, path = "/hooks/x/actions") =>
  () =>
    checkResponse("GET", path, { status, body });

it("a response passes as the document says, and a path that no row has isn't checked", () => {
  expect(check(200, page)).not.toThrow();
  expect(check(200, "anything", "/nothing")).not.toThrow();
});

it("a missing field, an unknown one, and another status are errors", () => {
  expect(check(200, { data: [] })).toThrow(/must have required property 'nextCursor'/);
  expect(check(200, { ...page, total: 1 })).toThrow(/must NOT have additional properties/);
  expect(check(201, page)).toThrow("returned 201, not 200");
  expect(check(200, { ...page, data: [{ id: "x" }] })).toThrow(/response\/data\/0/);
});

it("an error response has to be a problem", () => {
  const problem = { type: "about:blank", title: "t", status: 404, code: "not_found", detail: "d" };
  expect(check(404, problem)).not.toThrow();
  expect(check(404, { error: "d" })).toThrow(/must have required property/);
});
