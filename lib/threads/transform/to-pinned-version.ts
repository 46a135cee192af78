import type { EventView } from "#lib/core/sending/filter-input.ts";
import { chooseVersion, type PinnedTo } from "#lib/core/sending/payload-version.ts";
import {
  readEventData,
  readEventVersion,
  toVersion,
} from "#lib/core/sending/read-published-event.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import type { Threads } from "../thread-pool.ts";
import { transformEvent } from "./transform-event.ts";
import type { TransformTasks } from "./transform-task.ts";

/** A version, and the JavaScript that makes its data into that of the one before. Null: it stays the same. */
type Version = PinnedTo & { readonly transform: string | null };

export type VersionParts = {
  readonly threads: Threads<TransformTasks>;
  /** The versions of an event type, oldest first. */
  readonly findVersions: (accountId: string, type: string) => Promise<readonly Version[]>;
};

type Target = {
  readonly accountId: string;
  /** `first`, `newest`, or a date. */
  readonly payloadVersion: string;
};

export type Pinned<Event extends EventView> =
  | { readonly ok: true; readonly event: Event }
  /** It may be ready later: the machine may be busy now, and a transform can be corrected. */
  | { readonly ok: false; readonly message: string };

/**
 * The event in the version that its subscription gets. Each version has a transform to the one
 * before, which always gives the same, so every try has the same bytes. An event of an earlier
 * version stays as it is.
 */
export async function toPinnedVersion<Event extends EventView>(
  event: Event,
  { accountId, payloadVersion }: Target,
  { threads, findVersions }: VersionParts,
): Promise<Pinned<Event>> {
  const own = readEventVersion(event.body);
  if (own === firstVersion) return { ok: true, event };
  let body = Buffer.from(event.body).toString();
  const versions = await findVersions(accountId, event.type);
  const pinned = chooseVersion(versions, payloadVersion, Date.now());
  let place = versions.findIndex(({ version }) => version === own);
  for (; place > pinned; place -= 1) {
    const { version = own, transform: source = null } = versions[place] ?? {};
    const before = versions[place - 1]?.version ?? firstVersion;
    const read = { ...event, body: Buffer.from(body) };
    const data =
      source === null
        ? { ok: true as const, json: readEventData(body) }
        : await transformEvent(threads, read, { accountId, source });
    if (!data.ok) {
      const message = `The transform from version ${version} to ${before} failed: ${data.message}`;
      return { ok: false, message };
    }
    body = toVersion(body, before, data.json);
  }
  return { ok: true, event: { ...event, body: Buffer.from(body) } };
}

type FindVersions = VersionParts["findVersions"];

/**
 * Reads the versions of a type once for all sends that ask for them at the same time. Under load, a
 * read for each send would need all connections of the worker.
 */
export function shareReads(read: FindVersions): FindVersions {
  const reading = new Map<string, ReturnType<FindVersions>>();
  return (accountId, type) => {
    const key = `${accountId} ${type}`;
    const found = reading.get(key);
    if (found !== undefined) return found;
    const started = read(accountId, type).finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  };
}
