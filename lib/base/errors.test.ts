import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fieldErrorCodes } from "#lib/schema/field/command-result.ts";
import { AppError, errorTable, toProblem } from "./errors.ts";

const text = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const sections = text.split(/^## /m).slice(1);

it("docs/errors.md explains every code, in the order of the table, with its status", () => {
  const documented = sections.map((section) => {
    const [code, , text = ""] = section.split("\n");
    return [code, Number(text.slice(0, 3))];
  });
  expect(documented).toEqual(
    Object.entries(errorTable).map(([code, { status }]) => [code, status]),
  );
});

it("docs/errors.md has a row for the code of every field error, in the order of the list", () => {
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
  expect(rows).toEqual(fieldErrorCodes);
});

it("every explanation says more than the title", () => {
  for (const section of sections) expect(section.length).toBeGreaterThan(60);
});

it("a problem links to the explanation of its code", () => {
  const problem = toProblem("not_found", "There is no hook with this id.");
  expect(problem.type).toBe("/docs/errors#not_found");
  expect(problem).toMatchObject({
    status: 404,
    code: "not_found",
    detail: "There is no hook with this id.",
  });
  expect(new AppError("conflict", "x").errors).toBeUndefined();
});
