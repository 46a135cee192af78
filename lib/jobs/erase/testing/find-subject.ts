import { zstdDecompressSync } from "node:zlib";
import { openFolder } from "#lib/archive/folder-storage.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/** Independent of the code that erases: the name in any case, in hexadecimal, or in Base64 at any place. */
const named = /jo\.doe/i;
const encoded = ["jo.doe", "Jo.Doe", "JO.DOE"].flatMap((name) =>
  [0, 1, 2].map((shift) => {
    const text = Buffer.from("\0".repeat(shift) + name).toString("base64");
    // The characters that are of the name alone.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + name.length) * 8) / 6));
  }),
);

function hasSubject(text: string): boolean {
  const isIn = (one: string) => named.test(one) || encoded.some((part) => one.includes(part));
  if (isIn(text)) return true;
  // A pattern for all of them would need a stack as deep as they are long.
  const bytes = text.split("\\x").slice(1);
  return bytes.some((part) => {
    const end = part.search(/[^0-9a-f]/);
    return isIn(Buffer.from(end === -1 ? part : part.slice(0, end), "hex").toString("latin1"));
  });
}

/** The tables with a row in which the person is, in any column of any type. */
export async function findInDatabase(db: Database): Promise<Readonly<Record<string, number>>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by 1`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await db.$queryRaw<{ text: string }[]>(
      Prisma.sql`select t::text as text from ${Prisma.raw(`"${name}"`)} t`,
    );
    const count = rows.filter(({ text }) => hasSubject(text)).length;
    if (count > 0) found[name] = count;
  }
  return found;
}

/** The files of archives in which the person is, as they are and uncompressed. */
export async function findInArchives(folder: string): Promise<readonly string[]> {
  const storage = openFolder(folder);
  const found: string[] = [];
  for (const week of await storage.listFolders())
    for (const name of await storage.list(week)) {
      const bytes = (await storage.get(`${week}/${name}`)) ?? Buffer.alloc(0);
      const text = name.includes(".zst") ? zstdDecompressSync(bytes).toString() : bytes.toString();
      if (text.split("\n").some((line) => hasSubject(line))) found.push(`${week}/${name}`);
    }
  return found;
}

/** The lines of a folder's archive, by table, that aren't about the person. */
export async function readOtherLines(folder: string, week: string): Promise<readonly string[]> {
  const storage = openFolder(folder);
  const lines: string[] = [];
  for (const name of await storage.list(week)) {
    if (!name.endsWith(".zst") || name.startsWith("delivery_terms")) continue;
    const bytes = (await storage.get(`${week}/${name}`)) ?? Buffer.alloc(0);
    for (const line of zstdDecompressSync(bytes).toString().split("\n"))
      if (line !== "" && !hasSubject(line) && !isErased(line)) lines.push(line);
  }
  return lines.toSorted();
}

const withOthers = ["deliveries", "events", "runs", "queue", "attempts", "run_steps", "answers"];

/** A hash of each row that isn't about the person, in every table whose rows are erased. */
export async function readOthers(
  db: Database,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const others: Record<string, readonly string[]> = {};
  const more = [
    "listener_responses",
    "backtests",
    "backtest_results",
    "gap_events",
    "problems",
    "notices",
    "bulk_jobs",
  ];
  for (const name of [...withOthers, ...more, "saved_views"]) {
    const rows = await db.$queryRaw<{ text: string }[]>(
      Prisma.sql`select t::text as text from ${Prisma.raw(`"${name}"`)} t`,
    );
    const isOther = (text: string) => !hasSubject(text) && !isErased(text);
    others[name] = rows.flatMap(({ text }) => (isOther(text) ? [text] : [])).toSorted();
  }
  return others;
}

function isErased(text: string): boolean {
  // In Base64 at the place where the test's bodies have it.
  const inBase64 = Buffer.from('{"pad":"x","email":"[erased]"}').toString("base64");
  return ["[erased]", inBase64].some(
    (mark) => text.includes(mark) || text.includes(Buffer.from(mark).toString("hex")),
  );
}
