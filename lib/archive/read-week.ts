import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { type ArchivePart, type Manifest, manifestName, manifestSchema } from "./format.ts";
import { type ManifestTrust, requireTrusted } from "./manifest-seal.ts";
import { countLines } from "./split-lines.ts";
import { ArchiveError, type ArchiveStorage } from "./storage.ts";
import { sha256Of } from "./write-week.ts";

/** Null: the week has no archive, or it isn't whole. Throws if it isn't one of this version. */
export async function readManifest(
  storage: ArchiveStorage,
  week: Week,
): Promise<{ readonly manifest: Manifest; readonly sha256: string } | null> {
  const bytes = await storage.get(`${week}/${manifestName}`);
  if (bytes === null) return null;
  const manifest = parse(bytes);
  if (manifest?.week !== week)
    throw new ArchiveError(`The manifest of ${week} is damaged, or of another version.`);
  return { manifest, sha256: sha256Of(bytes) };
}

function parse(bytes: Buffer): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return null;
  }
}

type VerifyOptions = ManifestTrust & {
  readonly signal?: AbortSignal;
};

/** Reads every byte of a week's archive, once its manifest is trusted. Throws if one isn't as it was written. */
export async function verifyWeek(
  storage: ArchiveStorage,
  week: Week,
  { signal, ...trust }: VerifyOptions,
): Promise<Manifest> {
  const found = await requireManifest(storage, week);
  requireTrusted(found, trust);
  const { manifest } = found;
  for (const { parts } of manifest.tables)
    for (const part of parts) {
      signal?.throwIfAborted();
      await readPart(storage, week, part);
    }
  return manifest;
}

async function requireManifest(
  storage: ArchiveStorage,
  week: Week,
): Promise<{ readonly manifest: Manifest; readonly sha256: string }> {
  const found = await readManifest(storage, week);
  if (found === null) throw new ArchiveError(`There is no whole archive of ${week}.`);
  return found;
}

/** The lines of a part, once they are known to be those that were written. */
export async function readPart(
  storage: ArchiveStorage,
  week: Week,
  { name, rows, bytes, sha256 }: ArchivePart,
): Promise<Buffer> {
  const file = await storage.get(`${week}/${name}`);
  if (file === null) throw new ArchiveError(`${week}/${name} is missing.`);
  if (sha256Of(file) !== sha256) throw changed(week, name);
  const lines = await decompress(file, bytes);
  if (lines?.length !== bytes || countLines(lines) !== rows) throw changed(week, name);
  return lines;
}

function changed(week: Week, name: string): ArchiveError {
  return new ArchiveError(`${week}/${name} isn't as it was written.`);
}

async function decompress(file: Buffer, maxOutputLength: number): Promise<Buffer | null> {
  try {
    return await promisify<Buffer, object, Buffer>(zstdDecompress)(file, { maxOutputLength });
  } catch {
    return null;
  }
}
