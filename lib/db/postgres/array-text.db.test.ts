import fc from "fast-check";
import { expect, test } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { toArrayText, toPlainArrayText } from "./array-text.ts";

const { db } = withDatabase({ poolSize: 1 });

async function readBack(values: readonly (string | null)[]): Promise<(string | null)[]> {
  const rows = await db.$queryRaw<{ value: string | null }[]>`
    select value from unnest(${toArrayText(values)}::text[]) with ordinality as t(value, position) order by position`;
  return rows.map(({ value }) => value);
}

test("property: PostgreSQL reads back the same texts, whatever they are", async () => {
  const hostile = fc.constantFrom(
    "NULL",
    "null",
    "",
    " ",
    "{}",
    "},{",
    '"',
    "\\",
    '\\"',
    "a,b",
    "'; drop table",
    "\n",
    "\\x00",
    "é𝄞",
  );
  const text = fc.oneof(
    hostile,
    fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", "")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      expect(await readBack(values)).toEqual(values);
    }),
    { numRuns: 60 },
  );
});

test("plain values are numbers and ids as they are", () => {
  expect(toPlainArrayText([])).toBe("{}");
  expect(toPlainArrayText([1, 20])).toBe("{1,20}");
});
