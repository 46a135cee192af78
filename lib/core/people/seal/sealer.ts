import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

/** The place where a sealed value is stored. It can't be opened in another row or column. */
export type SealPlace = {
  readonly accountId: string;
  readonly table: string;
  readonly rowId: string;
  readonly field: string;
};

/** A key of 32 bytes. Its `id` of 1 to 255 bytes is stored with each sealed value. */
export type SealKey = { readonly id: string; readonly key: Uint8Array };

type SealKeys = {
  readonly current: SealKey;
  /** Keys that only open values. */
  readonly previous: readonly SealKey[];
  /** Returns 12 new random bytes. Reusing a nonce with the same key breaks the encryption. */
  readonly randomNonce: () => Uint8Array;
};

type Opened =
  | { readonly ok: true; readonly plaintext: Uint8Array }
  | {
      readonly ok: false;
      readonly code: "malformed" | "unknown_key" | "not_authentic";
      readonly message: string;
    };

export type Sealer = {
  /** The id of the key that seals. */
  readonly keyId: string;
  seal(plaintext: Uint8Array, place: SealPlace): Uint8Array;
  open(sealed: Uint8Array, place: SealPlace): Opened;
  /** False if the key has changed, so the value should be sealed again. */
  isSealedWithCurrentKey(sealed: Uint8Array): boolean;
  /** A keyed hash, by which a text that isn't stored is recognized. Another key gives another one. */
  fingerprint(text: string): Uint8Array;
};

/**
 * Encryption of secrets at rest with AES-256-GCM (NIST SP 800-38D). A sealed value is
 *
 *     version (1 byte, 1) · length of key id (1 byte) · key id · nonce (12) · tag (16) · ciphertext
 *
 * and the tag also covers the version, the key id, and the place. Opening fails closed.
 */
export function createSealer({ current, previous, randomNonce }: SealKeys): Sealer {
  const keys = new Map<string, Uint8Array>();
  for (const { id, key } of [...previous, current]) {
    if (key.length !== keyBytes) throw new RangeError(`A sealing key has ${keyBytes} bytes`);
    const idBytes = Buffer.byteLength(id);
    if (idBytes < 1 || idBytes > 255) throw new RangeError("A sealing key's id has 1 to 255 bytes");
    keys.set(id, key);
  }

  function seal(plaintext: Uint8Array, place: SealPlace): Uint8Array {
    const nonce = randomNonce();
    if (nonce.length !== nonceBytes) throw new RangeError(`A nonce has ${nonceBytes} bytes`);
    const cipher = createCipheriv(algorithm, current.key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(additionalData(current.id, place));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const id = Buffer.from(current.id);
    return Buffer.concat([
      Buffer.of(version, id.length),
      id,
      nonce,
      cipher.getAuthTag(),
      ciphertext,
    ]);
  }

  function open(sealed: Uint8Array, place: SealPlace): Opened {
    const parts = split(sealed);
    if (parts === null) return reject("malformed", "This is not a sealed value.");
    const key = keys.get(parts.keyId);
    if (key === undefined)
      return reject("unknown_key", "This was sealed with a key that is not configured.");
    const decipher = createDecipheriv(algorithm, key, parts.nonce, { authTagLength: tagBytes });
    decipher.setAAD(additionalData(parts.keyId, place));
    decipher.setAuthTag(parts.tag);
    try {
      return {
        ok: true,
        plaintext: Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]),
      };
    } catch {
      // node:crypto throws if the tag doesn't match.
      return reject(
        "not_authentic",
        "This was changed, moved from another place, or sealed with another key.",
      );
    }
  }

  const fingerprintKey = Buffer.from(hkdfSync("sha256", current.key, "", "fingerprints", keyBytes));

  return {
    keyId: current.id,
    seal,
    open,
    fingerprint: (text) => createHmac("sha256", fingerprintKey).update(text).digest(),
    isSealedWithCurrentKey: (sealed) => split(sealed)?.keyId === current.id,
  };
}

const algorithm = "aes-256-gcm";
const version = 1;
const keyBytes = 32;
const nonceBytes = 12;
/**
 * The tag length must be set: otherwise node:crypto also accepts 4-byte tags, which can be guessed.
 */
const tagBytes = 16;

type SealedParts = { keyId: string; nonce: Uint8Array; tag: Uint8Array; ciphertext: Uint8Array };

function split(sealed: Uint8Array): SealedParts | null {
  const idEnd = 2 + (sealed[1] ?? 0);
  const nonceEnd = idEnd + nonceBytes;
  const tagEnd = nonceEnd + tagBytes;
  if (sealed[0] !== version || idEnd === 2 || sealed.length < tagEnd) return null;
  return {
    keyId: Buffer.from(sealed.subarray(2, idEnd)).toString(),
    nonce: sealed.subarray(idEnd, nonceEnd),
    tag: sealed.subarray(nonceEnd, tagEnd),
    ciphertext: sealed.subarray(tagEnd),
  };
}

/** JSON separates the parts, so no two places produce the same bytes. */
function additionalData(keyId: string, { accountId, table, rowId, field }: SealPlace): Uint8Array {
  return Buffer.from(JSON.stringify([version, keyId, accountId, table, rowId, field]));
}

function reject(code: "malformed" | "unknown_key" | "not_authentic", message: string): Opened {
  return { ok: false, code, message };
}
