import { createHash } from "node:crypto";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { findPinnedRoots } from "#lib/core/verify/certificate/pinned-roots.ts";
import { readSigningKeys } from "#lib/core/verify/scheme/read-signing-keys.ts";
import {
  isFixedKeyUrl,
  isKeyUrlAllowed,
  type KeySource,
  type SigningKey,
  type SigningKeys,
} from "#lib/core/verify/scheme/signing-key.ts";
import type { HttpClient } from "./http-client.ts";

type SigningKeysOptions = {
  readonly client: Pick<HttpClient, "call">;
  readonly now: () => number;
};

type Entry = {
  keys: readonly SigningKey[] | null;
  fetchedAtMs: number;
  /** A source isn't fetched before this time, because a fetch has just failed. */
  failedUntilMs: number;
  inFlight: Promise<void> | null;
};

const hourMs = 3_600_000;
/** Older keys are still used while they are fetched again in the background. */
const freshMs = hourMs;
const usableMs = 24 * hourMs;
/** The time for which a missing key is assumed to stay missing. */
const unknownMs = 5 * 60_000;
/**
 * A set that lacks the wanted key is fetched again, because keys change, but at most this often.
 */
const missingKeyMs = 30_000;
const failurePauseMs = 5_000;
const maxEntries = 200;
/** Enough for some hundred keys with their certificates, such as the Bot Framework's. */
const maxReplyBytes = 512 * 1024;
const fetchMs = 5_000;
/**
 * Anyone who knows a catch URL can name certificates that don't exist, so first fetches per minute are
 * limited, for each hook, so that one doesn't use up those of the others. Addresses that no request
 * chooses have a share of their own. Known keys are still renewed, so that an attacker can't make
 * them expire.
 */
const fetchesPerMinute = { hook: 10, all: 240, fixed: 60 };

/**
 * Keys that providers publish, fetched with the guarded client from listed addresses only, without
 * redirects, limited in size and number, with one fetch at a time per source however many
 * deliveries wait for it.
 */
export function createSigningKeys({ client, now }: SigningKeysOptions): SigningKeys {
  const entries = new Map<string, Entry>();
  const fetches = new Map<string, number[]>();

  function find(source: KeySource): readonly SigningKey[] | undefined {
    const pinned = findPinnedRoots(source);
    if (pinned !== undefined) return pinned;
    const id = cacheId(source);
    const entry = entries.get(id);
    if (entry === undefined || entry.keys === null) return undefined;
    const ageMs = now() - entry.fetchedAtMs;
    if (ageMs > (entry.keys.length === 0 ? unknownMs : usableMs)) return undefined;
    if (lacks(entry.keys, source) && ageMs > missingKeyMs) return undefined;
    entries.delete(id);
    entries.set(id, entry);
    if (ageMs > freshMs) void start(source, entry, null);
    return entry.keys;
  }

  async function load(source: KeySource, maxWaitMs: number, hookId: string): Promise<boolean> {
    if (!isKeyUrlAllowed(source.url)) return false;
    if (find(source) !== undefined) return true;
    const entry = entryOf(source);
    await withTimeLimit(start(source, entry, hookId), maxWaitMs, () => {});
    return find(source) !== undefined;
  }

  /** @param hookId null: its keys are known, and renewed */
  function start(source: KeySource, entry: Entry, hookId: string | null): Promise<void> {
    if (entry.inFlight !== null) return entry.inFlight;
    if (now() < entry.failedUntilMs) return Promise.resolve();
    if (hookId !== null && !hasKeys(entry) && !takeFetch(source, hookId)) return Promise.resolve();
    entry.inFlight = fetchInto(source, entry).finally(() => {
      entry.inFlight = null;
    });
    return entry.inFlight;
  }

  async function fetchInto(source: KeySource, entry: Entry): Promise<void> {
    const { keys, reason } = await fetchKeys(client, source);
    if (keys === null) {
      entry.failedUntilMs = now() + failurePauseMs;
      log.warn("signing_keys.not_loaded", { url: source.url, reason });
      return;
    }
    entry.keys = keys;
    entry.fetchedAtMs = now();
  }

  function entryOf(source: KeySource): Entry {
    const id = cacheId(source);
    const known = entries.get(id);
    if (known !== undefined) return known;
    const entry: Entry = { keys: null, fetchedAtMs: 0, failedUntilMs: 0, inFlight: null };
    if (entries.size >= maxEntries) forgetOne();
    entries.set(id, entry);
    return entry;
  }

  /**
   * Removes the least recently used entry. Entries without keys go first, because anyone can make
   * them up.
   */
  function forgetOne(): void {
    const all = [...entries];
    const [id = ""] =
      all.find(([, entry]) => !hasKeys(entry) && entry.inFlight === null) ?? all[0] ?? [];
    entries.delete(id);
  }

  function takeFetch({ url, body }: KeySource, hookId: string): boolean {
    if (isFixedKeyUrl(url) && body === undefined)
      return takeFrom([["fixed", fetchesPerMinute.fixed]]);
    return takeFrom([
      [`hook ${hookId}`, fetchesPerMinute.hook],
      ["all", fetchesPerMinute.all],
    ]);
  }

  /** Takes one of each, or none. */
  function takeFrom(limits: readonly (readonly [key: string, perMinute: number])[]): boolean {
    const sinceMs = now() - 60_000;
    for (const [key, times] of fetches) {
      const recent = times.filter((atMs) => atMs > sinceMs);
      if (recent.length === 0) fetches.delete(key);
      else fetches.set(key, recent);
    }
    const isFull = ([key, perMinute]: readonly [string, number]) =>
      (fetches.get(key)?.length ?? 0) >= perMinute;
    if (limits.some(isFull)) return false;
    for (const [key] of limits) fetches.set(key, [...(fetches.get(key) ?? []), now()]);
    return true;
  }

  return { find, load };
}

function hasKeys({ keys }: Entry): boolean {
  return keys !== null && keys.length > 0;
}

/**
 * The request may contain credentials, so it is hashed: a key fetched with one account's
 * credentials is never used for another.
 */
function cacheId({ url, body = "" }: KeySource): string {
  return createHash("sha256").update(url).update("\n").update(body).digest("base64");
}

function lacks(keys: readonly SigningKey[], { keyId }: KeySource): boolean {
  return keyId !== null && keys.every(({ id }) => id !== keyId);
}

async function fetchKeys(
  client: SigningKeysOptions["client"],
  { format, url, body }: KeySource,
): Promise<{ readonly keys: readonly SigningKey[] | null; readonly reason: string }> {
  const headers = { accept: "application/json, application/x-pem-file, */*" };
  const result = await client.call(
    body === undefined
      ? { method: "GET", url, headers: Object.entries(headers), body: null }
      : {
          method: "POST",
          url,
          headers: Object.entries({ ...headers, "content-type": "application/json" }),
          body: Buffer.from(body),
        },
    { timeoutMs: fetchMs, maxResponseBytes: maxReplyBytes },
  );
  if (!result.ok) return { keys: null, reason: result.error.code };
  if (result.response.truncated) return { keys: null, reason: "too_large" };
  const keys = readSigningKeys(format, result.response);
  return { keys, reason: `status ${result.response.status}` };
}
