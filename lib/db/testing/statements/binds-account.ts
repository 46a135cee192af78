/** Tables and models whose rows belong to an account. */
type Owned = { readonly tables: ReadonlySet<string>; readonly models: ReadonlySet<string> };

/** The tables and models with the id of an account in each row, by `schema.prisma`. */
export function readOwned(schema: string): Owned {
  const blocks = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  const owned = blocks.filter(([, , body]) => /^ {2}accountId +String /m.test(body ?? ""));
  return {
    models: new Set(owned.map(([, name = ""]) => name.charAt(0).toLowerCase() + name.slice(1))),
    tables: new Set(owned.map(([, , body = ""]) => /@@map\("(\w+)"\)/.exec(body)?.[1] ?? "")),
  };
}

/** The names of tables in SQL, also of parts of a query. */
export function tablesIn(sql: string): string[] {
  const names = /\b(?:from|join|update(?!\s+set\b)|into|using)\s+(?:only\s+)?"?(\w+)"?/gi;
  return [...sql.matchAll(names)].flatMap(([, name]) => name ?? []);
}

/**
 * True if a statement compares an account's id with a value, or only inserts rows that have one.
 * `$1` is a value, and `${accountId}` in the code.
 */
export function bindsAccount(sql: string): boolean {
  const text = sql.replaceAll(/--.*$/gm, "");
  const isInsert = /^[\s`]*insert into \w+( as \w+)?\s*\([^)]*\baccount_id\b/i.test(text);
  if (isInsert && tablesIn(text).length === 1) return true;
  return /\baccount_id"?(, \w+)*\)?\s*(=|[<>]=?)\s*(any\s*)?\(*\$[\d{]/i.test(text);
}
