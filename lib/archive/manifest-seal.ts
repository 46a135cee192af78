import { createHash } from "node:crypto";
import { archiveManifestPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { type Manifest, manifestName, manifestSchema } from "./format.ts";
import { ArchiveError } from "./storage.ts";

/** The manifest with a seal, by which another database with the same secret key can trust it. */
export function sealManifest(manifest: Manifest, sealer: Sealer): Manifest {
  const seal = sealer.seal(digestOf(manifest), archiveManifestPlace(manifest.id));
  return { ...manifest, seal: Buffer.from(seal).toString("base64") };
}

export type ManifestTrust = {
  readonly sealer: Sealer;
  /** The checksum of the manifest as this database knows it. Null: it doesn't. */
  readonly knownSha256: string | null;
  /** True if the operator trusts a manifest without a seal that this server can open. */
  readonly trustsUnsigned?: boolean;
};

/** Throws if the manifest, and so its archive, may have been changed since it was written. */
export function requireTrusted(
  { manifest, sha256 }: { readonly manifest: Manifest; readonly sha256: string },
  { sealer, knownSha256, trustsUnsigned = false }: ManifestTrust,
): void {
  const { week, id, seal } = manifest;
  if (knownSha256 !== null) {
    if (knownSha256 !== sha256)
      throw new ArchiveError(
        `${week}/${manifestName} isn't as it was written. This database knows another checksum of it.`,
      );
    return;
  }
  if (trustsUnsigned) return;
  if (seal === undefined)
    throw new ArchiveError(
      `${week}/${manifestName} isn't signed, because an earlier version wrote it, and this database doesn't know it. ` +
        "If you are sure that it wasn't changed, repeat this with --unsigned.",
    );
  const opened = sealer.open(Buffer.from(seal, "base64"), archiveManifestPlace(id));
  if (opened.ok && digestOf(manifest).equals(opened.plaintext)) return;
  throw new ArchiveError(
    !opened.ok && opened.code === "unknown_key"
      ? `${week}/${manifestName} is signed with another secret key: set CATCHMENT_PREVIOUS_SECRET_KEY to that key, ` +
          "or repeat this with --unsigned if you are sure that it wasn't changed."
      : `${week}/${manifestName} isn't as it was written. Its signature doesn't match.`,
  );
}

/** Of everything that is read of it, in the order of its schema. */
function digestOf(manifest: Manifest): Buffer {
  const { seal: _, ...signed } = manifestSchema.parse(manifest);
  return createHash("sha256").update(JSON.stringify(signed)).digest();
}
