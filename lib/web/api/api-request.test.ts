import { expect, test } from "vitest";
import { readJson, readQuery } from "./api-request.ts";

const json = { contentType: "application/json", exactNumbers: false };
const read = (text: string) => readJson(Buffer.from(text), json);

test("a name that occurs twice in an object is rejected with its path, in bodies and queries", () => {
  const rejected = (path: string) =>
    expect.objectContaining({
      code: "invalid_request",
      errors: [expect.objectContaining({ path, code: "duplicate" })],
    });
  expect(() => read('{"name":"a","enabled":false,"name":"b"}')).toThrow(rejected("name"));
  expect(() => read('{"request":{"url":"a","\\u0075rl":"b"}}')).toThrow(rejected("request.url"));
  expect(() => readQuery(new URLSearchParams("limit=1&limit=2"))).toThrow(rejected("limit"));
  const fine = { name: "a", request: { name: "b", list: [{ name: "c" }, { name: "d" }] } };
  expect(read(JSON.stringify(fine))).toEqual(fine);
});
