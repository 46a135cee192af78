import type { ArchiveEnv } from "#lib/core/env/archive-settings.ts";
import { type Bucket, BucketError, openBucket } from "#lib/net/object-storage/bucket.ts";
import { openFolder } from "./folder-storage.ts";
import { ArchiveError, type ArchiveStorage } from "./storage.ts";

/** Opens the place that `CATCHMENT_ARCHIVE` names. Connects to nothing yet. */
export function openStorage(env: ArchiveEnv): ArchiveStorage {
  return env.kind === "folder" ? openFolder(env.folder) : toStorage(openBucket(env), env.prefix);
}

/** The place as written in the setting, which has no credentials. */
export function describePlace(env: ArchiveEnv): string {
  if (env.kind === "folder") return env.folder;
  return `s3://${[env.bucket, env.prefix].filter((part) => part !== "").join("/")}`;
}

function toStorage(bucket: Bucket, prefix: string): ArchiveStorage {
  const top = prefix === "" ? "" : `${prefix}/`;
  return {
    put: (name, bytes) => explain(() => bucket.put(`${top}${name}`, bytes)),
    get: (name) => explain(() => bucket.get(`${top}${name}`)),
    remove: (name) => explain(() => bucket.remove(`${top}${name}`)),
    list: async (folder) => (await explain(() => bucket.list(`${top}${folder}/`))).names,
    listFolders: async () =>
      (await explain(() => bucket.list(top, { stopsAtSlash: true }))).folders,
    close: () => bucket.close(),
  };
}

async function explain<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BucketError) throw new ArchiveError(`${error.message}.`);
    throw error;
  }
}
