import { expect, it } from "vitest";
import { chooseFormat } from "./row-format.ts";

it.each([
  [null, "ndjson"],
  ["*/*", "ndjson"],
  ["text/csv", "csv"],
  ["Text/CSV; charset=utf-8", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
  ["text/*, */*;q=0.1", "csv"],
  ["text/csv;q=0.5, application/x-ndjson", "ndjson"],
  ["application/json, text/csv;q=0.2", "csv"],
  ["text/csv, */*", "csv"],
] as const)("Accept: %s gets %s", (accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});

it.each(["application/json", "text/csv;q=0", "text/html", ""])(
  "Accept: %j is rejected",
  (accept) => {
    expect(() => chooseFormat(accept)).toThrow(expect.objectContaining({ code: "not_acceptable" }));
  },
);
