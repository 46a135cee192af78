import { z } from "zod";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import {
  diffVersions,
  showAuths,
  type VersionChange,
} from "#lib/core/mapping/versions/diff-versions.ts";
import { nameChange } from "#lib/core/mapping/versions/summarize-changes.ts";
import type { ShownChange } from "#lib/schema/act/version.ts";
import type { VersionSummary } from "#lib/schema/act/version-summary.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import {
  getVersion,
  listVersions,
  type StoredVersion,
} from "#lib/services/actions/read-actions.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";
import { exactJson, RawJson } from "#lib/web/route/api-json.ts";
import { view } from "#lib/web/route/view.ts";

const versionSchema = z
  .object({
    number: z.int(),
    author: z
      .string()
      .nullable()
      .describe("An email address or a token's name. Null: saved before there were versions"),
    createdAt: z.date(),
    summary: z.string().nullable().describe("The changes in short. Null: it is the first version"),
    note: z.string().nullable().describe("Why, as the author said on saving"),
    restoredFrom: z.int().nullable(),
    isCurrent: z.boolean(),
  })
  .meta({ id: "ActionVersion" });

/** A version in a list. */
export const versionView = view(versionSchema, showVersion);

const storedVersionSchema = versionSchema
  .extend({
    content: z.unknown().describe("What the action did, without secrets"),
    changes: z.array(
      z.object({
        path: z.string(),
        before: z.unknown().optional().describe("Omitted: it was not there"),
        after: z.unknown().optional().describe("Omitted: it is no longer there"),
        isSecret: z.boolean().optional(),
      }),
    ),
  })
  .meta({ id: "WholeActionVersion" });

/** A version with what it does, and how it differs from another one. */
export const storedVersionView = view(storedVersionSchema, (version: StoredVersion) => {
  const { content, auths } = version;
  return {
    ...showVersion(version),
    content: exactJson(auths === null ? content : showAuths(content, auths)),
    changes: listChanges(version).map(({ path, before, after, isSecret }) => ({
      path,
      before: before === null ? undefined : new RawJson(before),
      after: after === null ? undefined : new RawJson(after),
      ...(isSecret && { isSecret }),
    })),
  };
});

/** A version in a list, for the API and the page. */
function showVersion(version: VersionSummary) {
  const { number, author, createdAt, summary, note, restoredFrom, isCurrent } = version;
  return { number, author, createdAt, summary, note, restoredFrom, isCurrent };
}

const maxChanges = 500;

/** The changes of a version since the one that it is compared with, for the API and the page. */
export function listChanges({ before, content, auths }: StoredVersion): readonly ShownChange[] {
  if (before === null) return [];
  const changes = diffVersions(before, { content, auths });
  return changes.slice(0, maxChanges).map(toShownChange);
}

function toShownChange({ path, before, after, isSecret = false }: VersionChange): ShownChange {
  const name = nameChange({ path });
  return { path: path.join("."), name, before: toText(before), after: toText(after), isSecret };
}

function toText(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  const written = stringifyExactJson(value);
  if (!written.ok) throw new Error(`A stored version can't be written: ${written.message}`);
  return written.text;
}

/** The versions of an action. Throws `not_found`. */
export async function readVersionsPage(context: ServiceContext, actionId: string, cursor?: string) {
  const named = await readOwners(context, actionId);
  const { items, nextCursor } = await listVersions(context, { id: named.action.id, cursor });
  return { ...named, versions: items, nextCursor, nowMs: context.now().getTime() };
}

/** One version, compared with another one or with the one before it. Throws `not_found`. */
export async function readVersionPage(
  context: ServiceContext,
  actionId: string,
  { number, against }: { readonly number: string; readonly against: string | undefined },
) {
  const named = await readOwners(context, actionId);
  const version = await getVersion(context, { id: named.action.id, number, against });
  const before = against === undefined ? version.number - 1 : Number(against);
  return {
    ...named,
    version: showVersion(version),
    /** The number of the version that it is compared with. Null: there is none. */
    against: version.before === null ? null : before,
    changes: listChanges(version),
    nowMs: context.now().getTime(),
  };
}

async function readOwners(context: ServiceContext, actionId: string) {
  const { id, name, version, hookId } = await readAction(context, actionId);
  const hook = await readHook(context, hookId);
  return { action: { id, name, version }, hook: { id: hook.id, name: hook.name } };
}
