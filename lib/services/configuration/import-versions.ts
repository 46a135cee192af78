import { invalidField } from "#lib/base/errors.ts";
import { listDifferences } from "#lib/core/configuration/item-names.ts";
import { listTypeVersions, type TypeVersion } from "#lib/db/event-types/type-versions.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import {
  createEventTypeVersion,
  updateEventTypeVersion,
} from "#lib/services/event-type-versions.ts";
import { type EventTypeRecord, putEventType } from "#lib/services/event-types.ts";
import type { ImportRun } from "./import-run.ts";

type GivenType = NonNullable<Configuration["eventTypes"]>[number];
type GivenVersion = NonNullable<GivenType["versions"]>[number];
type VersionedType = Omit<GivenType, "versions"> & { readonly versions: readonly GivenVersion[] };

/** A version as a file has it. */
export function showVersion({ version, schema, example, transform, note, endsAt }: TypeVersion) {
  return {
    ...{ version, schema, example, transform, note },
    endsAt: endsAt?.toISOString() ?? null,
  };
}

/**
 * Imports an event type with its versions. New ones are published, in their order. The data of
 * former ones stays, because subscribers rely on it, and one that the file doesn't have stays too.
 *
 * @param path of the event type in the file
 * @returns the names of the fields that changed
 */
export async function importVersions(
  run: ImportRun,
  { versions, ...type }: VersionedType,
  known: EventTypeRecord | undefined,
  path: string,
): Promise<readonly string[]> {
  const { db, actor } = run.context;
  const stored = await listTypeVersions(db, actor.accountId, type.name);
  const names = new Set(await importNewest(run, { versions, ...type }, known, stored));
  for (const [index, given] of versions.entries()) {
    const before = stored.find(({ version }) => version === given.version);
    const isImported = await run.item(`${path}.versions.${index}`, async () => {
      if (before === undefined) {
        if (given.version === firstVersion) return;
        const { endsAt: _, ...input } = given;
        await createEventTypeVersion(run.context, { name: type.name, ...input });
        names.add("versions");
      } else if (!before.isNewest) requireSameData(before, given);
    });
    if (!isImported) return [...names];
  }
  if (await adaptVersions(run, { versions, ...type }, path)) names.add("versions");
  return [...names];
}

/** The fields of the type itself, and the data of the version that is the newest now. */
async function importNewest(
  { context }: ImportRun,
  { versions, ...type }: VersionedType,
  known: EventTypeRecord | undefined,
  stored: readonly TypeVersion[],
): Promise<readonly string[]> {
  const newest = stored.at(-1);
  const name = newest?.version ?? firstVersion;
  const data = versions.find(({ version }) => version === name) ?? newest;
  const wanted = { ...type, schema: data?.schema ?? null, example: data?.example ?? null };
  const names = known === undefined ? [] : listDifferences(known, wanted);
  if (known === undefined || names.length > 0) await putEventType(context, wanted);
  return names;
}

function requireSameData(before: TypeVersion, { schema, example }: GivenVersion): void {
  const [name] = listDifferences(before, { schema, example });
  if (name === undefined) return;
  const why = "can't change, because subscribers rely on it. Publish a new version instead";
  throw invalidField(name, why, "not_allowed");
}

/** Changes what can change of any version, once all of them are there. */
async function adaptVersions(
  run: ImportRun,
  { name, versions }: VersionedType,
  path: string,
): Promise<boolean> {
  const { db, actor } = run.context;
  const stored = await listTypeVersions(db, actor.accountId, name);
  let isChanged = false;
  for (const [index, { version, transform, note, endsAt }] of versions.entries()) {
    const before = stored.find((each) => each.version === version);
    if (before === undefined) continue;
    const ends = endsAt === null ? null : new Date(endsAt).toISOString();
    const wanted = { transform, note: note === "" ? null : note, endsAt: ends };
    const names = listDifferences(showVersion(before), wanted);
    if (names.length === 0) continue;
    const patch = Object.fromEntries(Object.entries(wanted).filter(([key]) => names.includes(key)));
    await run.item(`${path}.versions.${index}`, async () => {
      await updateEventTypeVersion(run.context, { name, version, ...patch });
      isChanged = true;
    });
  }
  return isChanged;
}
