import { expect, it } from "vitest";
import { requestOf } from "#lib/core/mapping/build-request/testing/build.ts";
import { findWrongType } from "./check-body-type.ts";

it.each([
  ["multipart/form-data", /bodyText/],
  ["Multipart/Mixed; boundary=b", /bodyText/],
  ["text/xml", /XML/],
  ["application/soap+xml; charset=utf-8", /XML/],
  ["TEXT/HTML", /HTML/],
  ["text/csv", /rows/],
  ["application/graphql", /query and variables/],
  ["image/png", /bodyText/],
  ["application/json; charset=iso-8859-1", /iso-8859-1.*UTF-8/],
  ['application/json;charset="utf-16"', /utf-16.*UTF-8/],
  ["application/x-www-form-urlencoded; charset=windows-1252", /windows-1252/],
])("a JSON body as %s is rejected with the change to make", (type, message) => {
  const found = findWrongType(requestOf({ headers: { "content-Type": type }, body: { a: 1 } }));
  expect(found).toMatchObject({ path: "headers.content-Type", code: "conflict" });
  expect(found?.message).toMatch(message);
});

it.each([
  "application/json",
  "Application/JSON; charset=UTF-8",
  "application/vnd.api+json",
  "application/x-amz-json-1.1",
  "application/x-www-form-urlencoded",
  "application/x-ndjson",
  "text/plain",
  "application/octet-stream",
  "application/yaml",
  "application/vnd.acme.v2",
  "{{ payload.contentType }}",
])("a JSON body can be %s", (type) => {
  expect(
    findWrongType(requestOf({ headers: { "Content-Type": type }, body: { a: 1 } })),
  ).toBeNull();
});

it("text has any type in UTF-8, and forwarded bytes have their own", () => {
  const of = (type: string, fields: object) =>
    findWrongType(requestOf({ headers: { "Content-Type": type }, ...fields }));
  expect(of("text/xml; charset=utf8", { bodyText: "<a/>" })).toBeNull();
  expect(of("text/xml; charset=ISO-8859-1", { bodyText: "<a/>" })?.message).toMatch(/UTF-8/);
  const forward = { method: true, query: true, headers: "all" };
  expect(of("text/xml; charset=ISO-8859-1", { forward })).toBeNull();
  expect(of("text/xml", {})).toBeNull();
});
