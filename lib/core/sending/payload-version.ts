import { firstVersion, newestVersion } from "#lib/schema/send/payload-version.ts";

/** A version that a subscription may be pinned to. */
export type PinnedTo = {
  /** `first`, or a date. */
  readonly version: string;
  /** From then on, its subscribers get the next version. Null: it stays. */
  readonly endsAt: Date | null;
};

/**
 * Chooses the version that a subscription gets: the newest up to its date, or the next one that
 * hasn't ended.
 *
 * @param versions of an event type, oldest first. The last one never ends
 * @returns its place in the list
 */
export function chooseVersion(
  versions: readonly PinnedTo[],
  pinned: string,
  nowMs: number,
): number {
  const last = versions.length - 1;
  if (pinned === newestVersion) return last;
  const upTo = versions.findLastIndex(
    ({ version }) => version === firstVersion || (pinned !== firstVersion && version <= pinned),
  );
  const living = versions.findIndex(
    ({ endsAt }, index) => index >= upTo && (endsAt === null || endsAt.getTime() > nowMs),
  );
  return living === -1 ? last : living;
}
