import { AppError } from "#lib/base/errors.ts";
import type { Page, PageRequest } from "#lib/core/api/page.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { VersionContent } from "#lib/core/mapping/versions/diff-versions.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { maxVersion, type VersionAuths, versionAuthsSchema } from "#lib/schema/act/version.ts";
import type { VersionSummary } from "#lib/schema/act/version-summary.ts";
import type { JsonObject } from "#lib/schema/field/json-value.ts";
import { getAction } from "./actions.ts";

type NewVersion = {
  readonly accountId: string;
  readonly actionId: string;
  readonly number: number;
  readonly author: string;
  readonly contentJson: string;
  readonly auths: VersionAuths | null;
  readonly summary: string | null;
  readonly note: string | null;
  readonly restoredFrom: number | null;
};

/**
 * Stores the version of a locked action that is in force from now on. Older versions beyond a limit
 * are removed.
 */
export async function insertVersion(
  tx: Transaction,
  version: NewVersion,
  keptVersions: number,
): Promise<void> {
  const { accountId, actionId, number, author, contentJson, auths, summary, note, restoredFrom } =
    version;
  await tx.$executeRaw`
    with raised as (
      update actions set version = ${number}::int where id = ${actionId}::uuid and version <> ${number}::int
    ), removed as (
      delete from action_versions where action_id = ${actionId}::uuid and version <= ${number - keptVersions}::int
    )
    insert into action_versions (action_id, version, account_id, author, content, auths, summary, note, restored_from)
    values (${actionId}::uuid, ${number}::int, ${accountId}::uuid, ${author}, ${contentJson}::json,
      ${auths === null ? null : JSON.stringify(auths)}::json, ${summary}, ${note}, ${restoredFrom}::int)`;
}

/** Lists the versions of an action, newest first. Throws `not_found`. */
export async function listVersions(
  db: Database,
  accountId: string,
  actionId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<VersionSummary>> {
  const { id, version } = await getAction(db, accountId, actionId);
  const rows = await db.actionVersion.findMany({
    where: { actionId: id, accountId, version: { lt: readCursor(cursor) } },
    orderBy: { version: "desc" },
    take: limit + 1,
    select: {
      ...{ version: true, author: true, createdAt: true },
      ...{ summary: true, note: true, restoredFrom: true },
    },
  });
  const items = rows
    .slice(0, limit)
    .map(({ version: number, ...row }) => ({ number, ...row, isCurrent: number === version }));
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? writeCursor(last.number) : null };
}

export type StoredVersion = VersionSummary &
  VersionContent & {
    /** The version that it is compared with. Null: it is the first, or the one before was removed. */
    readonly before: VersionContent | null;
  };

/**
 * A version, and the one that it is compared with: by default the one before it. Throws
 * `not_found`.
 */
export async function getVersion(
  db: Database,
  accountId: string,
  actionId: string,
  number: number,
  against?: number,
): Promise<StoredVersion> {
  const { id, version } = await getAction(db, accountId, actionId);
  const other = against ?? number - 1;
  const rows = await db.$queryRaw<(Omit<VersionSummary, "isCurrent"> & ContentRow)[]>`
    select version as number, author, created_at as "createdAt", summary, note, restored_from as "restoredFrom",
      content::text as content, auths::text as auths
    from action_versions
    where action_id = ${id}::uuid and account_id = ${accountId}::uuid
      and version in (${number}::int, ${other}::int)`;
  const found = rows.find((row) => row.number === number);
  const before = rows.find((row) => row.number === other);
  if (found === undefined) throw noVersion(number);
  if (before === undefined && against !== undefined) throw noVersion(against);
  const { content, auths, ...summary } = found;
  return {
    ...summary,
    ...toContent({ content, auths }),
    isCurrent: number === version,
    before: before === undefined ? null : toContent(before),
  };
}

function noVersion(number: number): AppError {
  return new AppError("not_found", `There is no version ${number} of this action.`);
}

type ContentRow = { readonly content: string; readonly auths: string | null };

function toContent({ content, auths }: ContentRow): VersionContent {
  return {
    content: parseContent(content),
    auths: auths === null ? null : versionAuthsSchema.parse(JSON.parse(auths)),
  };
}

export function parseContent(json: string): JsonObject {
  const parsed = parseExactJson(json);
  if (!parsed.ok) throw new Error(`A stored version can't be read: ${parsed.message}`);
  return parsed.value as JsonObject;
}

/** Versions are numbered, so a cursor is the number of the last one. */
function writeCursor(number: number): string {
  return Buffer.from(`${number}`).toString("base64url");
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return maxVersion;
  const text = Buffer.from(cursor, "base64url").toString();
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number > 0 && writeCursor(number) === cursor) return number;
  throw new AppError(
    "invalid_request",
    "This cursor doesn't belong to this list. Use the nextCursor of the previous page.",
    {
      errors: [{ path: "cursor", code: "invalid_value", message: "is not a cursor of this list" }],
    },
  );
}
