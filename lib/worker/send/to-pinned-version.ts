import { chooseVersion } from "#lib/core/sending/payload-version.ts";
import {
  readEventData,
  readEventVersion,
  toVersion,
} from "#lib/core/sending/read-published-event.ts";
import type { TypeVersion } from "#lib/db/event-types/type-versions.ts";
import type { RunEvent, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import { transformEvent } from "#lib/threads/transform/transform-event.ts";
import type { TransformTasks } from "#lib/threads/transform/transform-task.ts";

export type VersionParts = {
  readonly threads: Threads<TransformTasks>;
  /** The versions of an event type, oldest first. */
  readonly findVersions: (accountId: string, type: string) => Promise<readonly TypeVersion[]>;
};

export type Pinned =
  | { readonly ok: true; readonly event: RunEvent }
  /** It may be ready later: the machine may be busy now, and a transform can be corrected. */
  | { readonly ok: false; readonly message: string };

/**
 * The event in the version that its subscription gets. Each version has a transform to the one
 * before, which always gives the same, so every try has the same bytes. An event of an earlier
 * version stays as it is.
 */
export async function toPinnedVersion(
  event: RunEvent,
  target: SendTarget,
  { threads, findVersions }: VersionParts,
): Promise<Pinned> {
  const own = readEventVersion(event.body);
  if (own === firstVersion) return { ok: true, event };
  let body = Buffer.from(event.body).toString();
  const { accountId } = target;
  const versions = await findVersions(accountId, event.type);
  const pinned = chooseVersion(versions, target.payloadVersion, Date.now());
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
