import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { diffVersions, type VersionContent } from "#lib/core/versions/diff-versions.ts";
import { summarizeChanges } from "#lib/core/versions/summarize-changes.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { AppError } from "#lib/errors.ts";
import { contentFields } from "#lib/schema/action/action.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";
import { describeAuth, type VersionAuths } from "#lib/schema/action/version.ts";
import type { JsonObject } from "#lib/schema/field/json-value.ts";
import type { ActionRecord } from "./action-record.ts";
import { type ActionRules, readKnown, toStoredWork } from "./action-work.ts";

/** Of an action. Older ones are removed. */
export const maxVersions = 1_000;
const maxSummaryChars = 500;

/** Throws `conflict` if another user has saved the action since. */
export function requireVersion({ version }: ActionRecord, startedFrom: number | undefined): void {
  if (startedFrom === undefined || startedFrom === version) return;
  throw new AppError(
    "conflict",
    `This action was changed after you opened it: it is at version ${version}, and your change started from version ${startedFrom}. Load the action again and repeat your change.`,
  );
}

type Save = {
  /** Null: it is new. */
  readonly before: ActionRecord | null;
  readonly after: ActionRecord;
  readonly restoredFrom?: number | null;
};

/**
 * Stores what an action does from now on as its next version, in the transaction of the change. A
 * change of its name, place, or `enabled` makes none. Returns the action with its version.
 */
export async function saveVersion(
  tx: Prisma.TransactionClient,
  { before, after, restoredFrom = null }: Save,
  { sealer, author }: ActionRules,
): Promise<ActionRecord> {
  const known = before === null ? null : tryRead(() => readAuths(before, sealer));
  const made = tryRead(() => readAuths(after, sealer));
  const old = before === null ? null : toContentJson(before);
  const contentJson = toContentJson(after);
  if (old === contentJson && isSameAuths(known, made)) return after;
  const auths = made === null ? null : toAuths(made, known);
  const summary =
    before === null || old === null
      ? null
      : summarize(
          { content: parseContent(old), auths: known === null ? null : toAuths(known, null) },
          { content: parseContent(contentJson), auths },
        );
  const version = before === null ? after.version : after.version + 1;
  await tx.$executeRaw`
    with raised as (
      update actions set version = ${version}::int where id = ${after.id}::uuid and version <> ${version}::int
    ), removed as (
      delete from action_versions where action_id = ${after.id}::uuid and version <= ${version - maxVersions}::int
    )
    insert into action_versions (action_id, version, account_id, author, content, auths, summary, restored_from)
    values (${after.id}::uuid, ${version}::int, ${after.accountId}::uuid, ${author}, ${contentJson}::json,
      ${auths === null ? null : JSON.stringify(auths)}::json, ${summary}, ${restoredFrom}::int)`;
  return { ...after, version };
}

/** What the action does, as a document. */
export function toContent(action: ActionRecord): object {
  const content = Object.fromEntries(contentFields.map((name) => [name, action[name]]));
  return { ...content, ...toStoredWork(action) };
}

function toContentJson(action: ActionRecord): string {
  const written = stringifyExactJson(toContent(action));
  if (!written.ok) throw new Error(`A version can't be stored: ${written.message}`);
  return written.text;
}

export function parseContent(json: string): JsonObject {
  const parsed = parseExactJson(json);
  if (!parsed.ok) throw new Error(`A stored version can't be read: ${parsed.message}`);
  return parsed.value as JsonObject;
}

function summarize(before: VersionContent, after: VersionContent): string {
  const text = summarizeChanges(diffVersions(before, after));
  return text.length <= maxSummaryChars ? text : `${text.slice(0, maxSummaryChars - 1)}…`;
}

type Auths = ReadonlyMap<string, RequestAuth>;

function readAuths(action: ActionRecord, sealer: ActionRules["sealer"]): Auths {
  const known = readKnown(sealer, action, action);
  return new Map(
    [...known].flatMap(([key, { auth }]) => (auth === null ? [] : [[key, auth] as const])),
  );
}

/** Null: they can't be opened, because the secret key has changed. */
function tryRead(read: () => Auths): Auths | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isSameAuths(one: Auths | null, other: Auths | null): boolean {
  const text = (auths: Auths | null) => JSON.stringify(auths === null ? null : [...auths]);
  return text(one) === text(other);
}

function toAuths(auths: Auths, before: Auths | null): VersionAuths {
  const isOther = (key: string, auth: RequestAuth) =>
    before?.has(key) === true && JSON.stringify(before.get(key)) !== JSON.stringify(auth);
  const entries = [...auths].map(([key, auth]) => [
    key,
    { ...describeAuth(auth), ...(isOther(key, auth) ? { changed: true } : {}) },
  ]);
  return Object.fromEntries(entries);
}
