import type { FieldTexts } from "./list-fields.ts";

type Row = { readonly section: string; readonly names: readonly string[]; readonly text: string };

/**
 * The texts of pages about fields: the last column of every table whose first one names fields.
 * Those of an object are in the section with its name.
 */
export function readFieldTexts(
  markdown: string,
  others: Readonly<Record<string, string>>,
): FieldTexts {
  const rows = readRows(markdown);
  return (name, object) => {
    const named = rows.filter(({ names }) => names.includes(name));
    const within = object !== null && sameFields.has(object) ? null : object;
    const own = named.find(({ section }) =>
      within === null ? section === "" : isAbout(section, within),
    );
    const found = own ?? (within === null ? named[0] : undefined);
    const text = found?.text ?? (within === null ? others[name] : undefined) ?? "";
    // It is said beside the type.
    return text === "required" ? "" : sayMethods(text);
  };
}

/** Objects that have the fields of the noun itself: a change to try, and the filter of a list. */
const sameFields: ReadonlySet<string> = new Set(["draft", "filter"]);

function readRows(markdown: string): readonly Row[] {
  const rows: Row[] = [];
  let section = "";
  let isFields = false;
  for (const line of markdown.split("\n")) {
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
    // The table right below the page's title is about the noun itself.
    if (heading !== undefined) section = rows.length === 0 ? "" : heading.toLowerCase();
    if (!line.startsWith("|")) isFields = false;
    else if (/^\| (?:field|filter|parameter)\b/.test(line)) {
      isFields = true;
      // "field of `retry`" is about the object of that name, wherever it is.
      const of = /^\| field of `(\w+)`/.exec(line)?.[1];
      if (of !== undefined) section = of.toLowerCase();
    } else if (isFields && !/^\|[\s:|-]+\|$/.test(line)) {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
      const names = [...(cells[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
      rows.push({ section, names, text: cells.at(-2) ?? "" });
    }
  }
  return rows;
}

/** The tables have letters for the calls that take a field, which stand in another column. */
function sayMethods(text: string): string {
  return text.replace(/\bC(?=: )/g, "POST").replace(/\bP(?=: | also )/g, "PATCH");
}

function isAbout(section: string, name: string): boolean {
  return section.split(/\W+/).includes(name.toLowerCase());
}
