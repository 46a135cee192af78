import { z } from "zod";
import { listBreakingChanges, type SchemaChange } from "#lib/core/sending/compare-schemas.ts";
import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { chooseVersion } from "#lib/core/sending/payload-version.ts";
import {
  type AccountVersion,
  compareVersions,
  listAccountVersions,
  readVersionSchemas,
} from "#lib/db/event-types/type-versions.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { toPlain } from "../event-types.ts";

/** A version of an event type that a subscription doesn't get yet. */
export type VersionStep = {
  readonly type: string;
  /** A date. */
  readonly version: string;
  readonly note: string | null;
  /** What it allows that the version before doesn't. */
  readonly breaking: readonly SchemaChange[];
};

/** The versions that a subscription can be pinned to, and what they would change for it. */
export type VersionChoice = {
  /** The dates of the versions of its event types, newest first. Empty: they have no versions. */
  readonly dates: readonly string[];
  /** Versions that it gets now and that end, the first to end first. */
  readonly ending: readonly {
    readonly type: string;
    readonly version: string;
    readonly endsAt: Date;
  }[];
  /** What it doesn't get yet, newest first. A new subscription gets everything. */
  readonly steps: readonly VersionStep[];
};

const input = z.strictObject({ id: recordId.optional() });
/** Each is compared with the one before. */
const maxSteps = 20;

/** `id` omitted: of a new subscription, to any event type. Throws `not_found`. */
export const listVersionChoice = service({
  permission: "subscriptions:read",
  input,
  portalInput: input,
  run: async (context, { id }): Promise<VersionChoice> => {
    const { db, actor, now } = context;
    const { accountId } = actor;
    const stored =
      id === undefined ? null : await getSubscription(db, accountId, id, recipientScope(actor));
    const all = await listAccountVersions(db, accountId);
    const own = all.filter(({ name }) => stored === null || matchesAny(stored.eventTypes, name));
    const dates = own.map(({ version }) => version).filter((version) => version !== firstVersion);
    const types = [...Map.groupBy(own, ({ name }) => name).values()].map((versions) => {
      const pinned = stored?.version ?? dates.toSorted().at(-1) ?? firstVersion;
      return { versions, gets: chooseVersion(versions, pinned, now().getTime()) };
    });
    const later = types.flatMap(({ versions, gets }) =>
      versions.flatMap((version, index) => {
        const before = versions[index - 1];
        return index > gets && before !== undefined ? [{ version, before }] : [];
      }),
    );
    const newest = later.toSorted((a, b) => compareVersions(b.version.version, a.version.version));
    return {
      dates: [...new Set(dates)].toSorted().toReversed(),
      ending: types
        .flatMap(({ versions, gets }) => toEnding(versions[gets]))
        .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime()),
      steps: await compareEach(context, newest.slice(0, maxSteps)),
    };
  },
});

function toEnding(version: AccountVersion | undefined): VersionChoice["ending"] {
  if (version === undefined || version.endsAt === null) return [];
  return [{ type: version.name, version: version.version, endsAt: version.endsAt }];
}

type Pair = { readonly version: AccountVersion; readonly before: AccountVersion };

async function compareEach(
  { db, actor }: ServiceContext,
  pairs: readonly Pair[],
): Promise<readonly VersionStep[]> {
  const wanted = pairs.flatMap(({ version, before }) => [version, before]);
  const schemas = await readVersionSchemas(db, actor.accountId, wanted);
  const schemaOf = ({ name, version }: AccountVersion) =>
    toPlain(schemas.find((row) => row.name === name && row.version === version)?.schema ?? null);
  return pairs.map(({ version, before }) => ({
    type: version.name,
    version: version.version,
    note: version.note,
    breaking: listBreakingChanges(schemaOf(before), schemaOf(version)),
  }));
}
