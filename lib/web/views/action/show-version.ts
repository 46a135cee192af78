import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { diffVersions, showAuths, type VersionChange } from "#lib/core/versions/diff-versions.ts";
import { nameChange } from "#lib/core/versions/summarize-changes.ts";
import type { StoredVersion } from "#lib/db/actions/read-versions.ts";
import type { ShownChange, VersionSummary } from "#lib/schema/action/version.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { exactJson, RawJson } from "#lib/web/views/api-json.ts";

/** A version in a list. */
export function showVersion(version: VersionSummary) {
  const { number, author, createdAt, summary, restoredFrom, isCurrent } = version;
  return { number, author, createdAt, summary, restoredFrom, isCurrent };
}

/** A version with what it does, and what it changed. */
export function showStoredVersion(version: StoredVersion) {
  const { content, auths } = version;
  return {
    ...showVersion(version),
    content: exactJson(auths === null ? content : showAuths(content, auths)),
    changes: listChanges(version).map(({ path, before, after, isSecret }) => ({
      path,
      before: before === null ? undefined : new RawJson(before),
      after: after === null ? undefined : new RawJson(after),
      isSecret: isSecret || undefined,
    })),
  };
}

const maxChanges = 500;

/** What a version changed, for the API and the page. */
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
