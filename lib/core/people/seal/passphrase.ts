import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";

/**
 * A text encrypted with a passphrase: scrypt (RFC 7914) with 128 MiB, then AES-256-GCM. A guess
 * costs about half a second.
 */
export const passphraseBoxSchema = z.object({
  kdf: z.literal("scrypt"),
  /** Limited, since it decides how much memory opening takes. */
  cost: z.literal(131_072),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  ciphertext: z.base64(),
});
type PassphraseBox = z.infer<typeof passphraseBoxSchema>;

export const minPassphraseLength = 12;

const cost = 131_072;

export async function encryptWithPassphrase(
  text: string,
  passphrase: string,
): Promise<PassphraseBox> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", await derive(passphrase, salt), nonce, {
    authTagLength: 16,
  });
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    kdf: "scrypt",
    cost,
    salt: salt.toString("base64"),
    nonce: nonce.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    ciphertext: ciphertext.toString("base64"),
  };
}

/** Null: it is another passphrase, or the box was changed. */
export async function decryptWithPassphrase(
  box: PassphraseBox,
  passphrase: string,
): Promise<string | null> {
  const [salt, nonce, tag, ciphertext] = [box.salt, box.nonce, box.tag, box.ciphertext].map(
    (value) => Buffer.from(value, "base64"),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const key = await derive(passphrase, salt);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
  try {
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch {
    // node:crypto throws if the tag doesn't match.
    return null;
  }
}

function derive(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
