import { readUnpacked, type UnpackedBody } from "#lib/core/mapping/payload/read-by-bytes.ts";
import {
  type ReadEvents,
  type ReadEventsInput,
  readEvents,
} from "#lib/core/verify/batch/read-events.ts";

export type ReadLargeInput = ReadEventsInput & {
  readonly contentType: string | null;
  readonly unpacked: UnpackedBody;
  /** The hash of the signed content, if the hook has replay protection. */
  readonly signedHash: Uint8Array | null;
};

/** Reads a large body in a thread; null: it took too long. */
export type ReadLarge = (accountId: string, input: ReadLargeInput) => Promise<ReadEvents | null>;

/** Reads the events of a body. Runs in a thread, except for stored requests. */
export function readEventsTask({
  unpacked,
  contentType,
  signedHash,
  ...input
}: ReadLargeInput): ReadEvents {
  const hashSigned = signedHash === null ? undefined : () => toBuffer(signedHash);
  const read = readEvents(
    input,
    readUnpacked(unpacked, contentType, input.rules.payloadField),
    hashSigned,
  );
  if (read.invalid !== null || read.parts === null) return read;
  // The events' payloads would be copied for nothing.
  return { ...read, parts: read.parts.map((part) => ({ ...part, payload: undefined })) };
}

export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
