import { createCipheriv, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveKey, deriveSealKey } from "./derive-key.ts";
import { createSealer, type SealPlace } from "./sealer.ts";

const place: SealPlace = { accountId: "acme", table: "hook_secrets", rowId: "1", field: "secret" };
const oldKey = deriveSealKey("the old secret of this server");
const newKey = deriveSealKey("the new secret of this server");
const randomNonce = () => randomBytes(12);
const sealer = createSealer({ current: newKey, previous: [], randomNonce });
const secret = Buffer.from("whsec_c2VjcmV0");

describe("a sealed value", () => {
  it("opens where it was sealed, whatever it contains", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plaintext, rowId) => {
        const opened = sealer.open(sealer.seal(plaintext, { ...place, rowId }), {
          ...place,
          rowId,
        });
        expect(opened.ok && Buffer.compare(opened.plaintext, plaintext)).toBe(0);
      }),
    );
  });

  it.each([
    ["account", { accountId: "other" }],
    ["table", { table: "api_tokens" }],
    ["row", { rowId: "2" }],
    ["field", { field: "name" }],
    ["boundary between parts", { accountId: "acme,hook_secrets", table: "" }],
  ])("doesn't open in another %s", (_what, change) => {
    const opened = sealer.open(sealer.seal(secret, place), { ...place, ...change });
    expect(opened).toMatchObject({ ok: false, code: "not_authentic" });
  });

  it("two that are swapped between rows don't open", () => {
    const second = { ...place, rowId: "2" };
    const [a, b] = [sealer.seal(secret, place), sealer.seal(Buffer.from("other"), second)];
    expect(sealer.open(b, place).ok).toBe(false);
    expect(sealer.open(a, second).ok).toBe(false);
  });

  it("doesn't open with any bit changed", () => {
    const sealed = sealer.seal(secret, place);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Uint8Array.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(sealer.open(changed, place).ok).toBe(false);
    }
  });

  it("doesn't open if truncated anywhere or extended", () => {
    const sealed = sealer.seal(secret, place);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(sealer.open(sealed.subarray(0, length), place).ok).toBe(false);
    }
    expect(sealer.open(Buffer.concat([sealed, Buffer.of(0)]), place).ok).toBe(false);
  });

  it("with a tag of 4 bytes is rejected", () => {
    const nonce = randomNonce();
    const cipher = createCipheriv("aes-256-gcm", newKey.key, nonce, { authTagLength: 4 });
    cipher.setAAD(
      Buffer.from(JSON.stringify([1, newKey.id, "acme", "hook_secrets", "1", "secret"])),
    );
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    const id = Buffer.from(newKey.id);
    const forged = Buffer.concat([
      Buffer.of(1, id.length),
      id,
      nonce,
      cipher.getAuthTag(),
      ciphertext,
    ]);
    expect(sealer.open(forged, place).ok).toBe(false);
  });

  it("contains neither the secret nor the same bytes twice", () => {
    const [first, second] = [sealer.seal(secret, place), sealer.seal(secret, place)];
    expect(Buffer.from(first).includes(secret)).toBe(false);
    expect(Buffer.compare(first, second)).not.toBe(0);
  });

  it.each([
    ["empty", Buffer.of()],
    ["plain text", secret],
    ["of version 2", Buffer.alloc(60, 2)],
  ])("that is %s is malformed", (_what, bytes) =>
    expect(sealer.open(bytes, place)).toMatchObject({ ok: false, code: "malformed" }),
  );
});

describe("keys", () => {
  it("a value of a previous key opens and is known to be old", () => {
    const before = createSealer({ current: oldKey, previous: [], randomNonce });
    const after = createSealer({ current: newKey, previous: [oldKey], randomNonce });
    const sealed = before.seal(secret, place);
    expect(after.open(sealed, place)).toMatchObject({ ok: true });
    expect(after.isSealedWithCurrentKey(sealed)).toBe(false);
    expect(after.isSealedWithCurrentKey(after.seal(secret, place))).toBe(true);
    expect(sealer.open(sealed, place)).toMatchObject({ ok: false, code: "unknown_key" });
  });

  it("another key with the same id doesn't open it", () => {
    const impostor = createSealer({
      current: { ...oldKey, id: newKey.id },
      previous: [],
      randomNonce,
    });
    expect(impostor.open(sealer.seal(secret, place), place)).toMatchObject({
      ok: false,
      code: "not_authentic",
    });
  });

  it("a short key, an empty id, or a short nonce is a programming error", () => {
    const key = new Uint8Array(32);
    expect(() =>
      createSealer({ current: { id: "a", key: new Uint8Array(16) }, previous: [], randomNonce }),
    ).toThrow();
    expect(() => createSealer({ current: { id: "", key }, previous: [], randomNonce })).toThrow();
    const weak = createSealer({
      current: { id: "a", key },
      previous: [],
      randomNonce: () => new Uint8Array(8),
    });
    expect(() => weak.seal(secret, place)).toThrow();
  });
});

describe("deriveKey", () => {
  it("gives the same key for the same secret and purpose, and another for any other", () => {
    expect(deriveKey("secret", "sessions")).toEqual(deriveKey("secret", "sessions"));
    expect(deriveKey("secret", "sessions")).not.toEqual(deriveKey("secret", "set-up"));
    expect(deriveKey("secret", "sessions")).not.toEqual(deriveKey("secret2", "sessions"));
    expect(deriveKey("secret", "sessions")).toHaveLength(32);
  });

  it("the id of a sealing key is not part of the key", () => {
    const { id, key } = deriveSealKey("secret");
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(Buffer.from(key).toString("hex")).not.toContain(id);
  });

  it("an empty secret is rejected", () => expect(() => deriveKey("  ", "sessions")).toThrow());
});
