import { deriveKey, deriveSealKey } from "#lib/core/people/seal/derive-key.ts";

/** A key that signs records. Nothing of it is in the spool's folder, or in the broker. */
export type RecordKey = {
  /** 6 bytes, which don't reveal the key. */
  readonly id: Buffer;
  readonly key: Uint8Array;
  /** The bytes that a signed payload begins with. A sender doesn't know them, so no body has them. */
  readonly mark: Buffer;
};

export type RecordKeys = {
  readonly current: RecordKey;
  /** They only verify, while a rotation replaces them. */
  readonly previous: readonly RecordKey[];
};

/** The first byte of a signed payload. V8's own format begins with 0xff. */
export const signedByte = 0xfe;
export const markBytes = 16;

/** @param secretKey the text of `CATCHMENT_SECRET_KEY` */
export function deriveRecordKeys(secretKey: string, previousKey?: string): RecordKeys {
  return {
    current: derive(secretKey),
    previous: previousKey === undefined ? [] : [derive(previousKey)],
  };
}

function derive(secretKey: string): RecordKey {
  const mark = Buffer.from(deriveKey(secretKey, "spool/mark").subarray(0, markBytes));
  mark[0] = signedByte;
  return {
    id: Buffer.from(deriveSealKey(secretKey).id, "hex"),
    key: deriveKey(secretKey, "spool/records"),
    mark,
  };
}
