/**
 * Signatures that a lenient verifier accepts and a strict one doesn't, derived from valid ones: the
 * kinds of Project Wycheproof, whose own cases `wycheproof.test.ts` runs.
 */
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  sign,
} from "node:crypto";
import { describe, expect, it } from "vitest";
import { bodyMac } from "#lib/core/providers/shapes/mac.ts";
import type { PublicKeyScheme, Scheme } from "./scheme/scheme.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const body = Buffer.from('{"id":"evt_1"}');

function outcome(
  scheme: Scheme,
  secret: string,
  signature: Uint8Array,
  sent: Uint8Array = body,
): string {
  const request = requestOf({ "x-signature": Buffer.from(signature).toString("hex") }, sent);
  return prepareVerifier({ scheme, secrets: [secret] })(request, 0).outcome;
}

function schemeOf(algorithm: PublicKeyScheme["algorithm"]): PublicKeyScheme {
  const { encoding, signature, signed, secret } = bodyMac("x-signature");
  return {
    kind: "publicKey",
    algorithm,
    encoding,
    signature,
    signed,
    secret: { ...secret, decode: "base64" },
  };
}

const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const toBig = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
const fromBig = (value: bigint, length: number) =>
  Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex");

describe("HMAC", () => {
  const scheme = (hash: "sha1" | "sha256" | "sha512"): Scheme => ({
    ...bodyMac("x-signature", { hash }),
    secret: { decode: "hex" },
  });

  it.each(["sha1", "sha256", "sha512"] as const)(
    "%s: only the whole tag passes, for keys of any length",
    (hash) => {
      for (const length of [1, 20, 64, 65, 128, 129, 200]) {
        const key = Buffer.alloc(length, length);
        const tag = createMac(hash, key);
        const check = (changed: Uint8Array) => outcome(scheme(hash), key.toString("hex"), changed);
        expect(check(tag)).toBe("verified");
        for (let size = 0; size < tag.length; size += 1)
          expect(check(tag.subarray(0, size))).toBe("failed");
        for (let bit = 0; bit < tag.length * 8; bit += 7) {
          const turned = Buffer.from(tag);
          turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(check(turned)).toBe("failed");
        }
        for (const other of [
          Buffer.concat([tag, Buffer.alloc(1)]),
          Buffer.alloc(tag.length),
          Buffer.alloc(tag.length, 255),
        ])
          expect(check(other)).toBe("failed");
      }
    },
  );
});

/** RFC 2104 written out, so that the two sides don't share code. */
function createMac(hash: "sha1" | "sha256" | "sha512", key: Buffer): Buffer {
  const block = hash === "sha512" ? 128 : 64;
  const short = key.length > block ? createHash(hash).update(key).digest() : key;
  const padded = Buffer.concat([short, Buffer.alloc(block - short.length)]);
  const pad = (byte: number) => padded.map((value) => value ^ byte);
  const inner = createHash(hash).update(pad(0x36)).update(body).digest();
  return createHash(hash).update(pad(0x5c)).update(inner).digest();
}

describe("Ed25519", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const good = sign(null, body, privateKey);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const [r, s] = [good.subarray(0, 32), good.subarray(32)];
  const addOrder = (times: bigint) =>
    fromBig(toBig(Uint8Array.from(s).reverse()) + order * times, 32).reverse();
  const check = (signature: Uint8Array) => outcome(schemeOf("ed25519"), pem(publicKey), signature);

  it("accepts what was signed", () => {
    expect(check(good)).toBe("verified");
  });

  it.each([
    ["S plus the order of the group, which makes the same point", Buffer.concat([r, addOrder(1n)])],
    ["S plus seven times the order", Buffer.concat([r, addOrder(7n)])],
    ["S of zero", Buffer.concat([r, Buffer.alloc(32)])],
    ["R of zero", Buffer.concat([Buffer.alloc(32), s])],
    ["R as the neutral point", Buffer.concat([Buffer.from([1]), Buffer.alloc(31), s])],
    ["R that is not reduced", Buffer.concat([Buffer.alloc(32, 255), s])],
    ["halves swapped", Buffer.concat([s, r])],
    ["a byte too few", good.subarray(0, 63)],
    ["a byte too many", Buffer.concat([good, Buffer.alloc(1)])],
    ["nothing but zeros", Buffer.alloc(64)],
  ])("rejects %s", (_what, signature) => {
    expect(check(signature)).toBe("failed");
  });
});

describe("ECDSA on P-256", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const raw = sign("sha256", body, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [r, s] = [toBig(raw.subarray(0, 32)), toBig(raw.subarray(32))];
  const check = (signature: Uint8Array) =>
    outcome(schemeOf("ecdsa-p256-sha256"), pem(publicKey), signature);

  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, bytes.length]), bytes]);
  const positive = (value: bigint) => {
    const bytes = fromBig(value, Math.max(1, Math.ceil(value.toString(16).length / 2)));
    return integer((bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
  };
  const sequence = (...items: Buffer[]) => {
    const content = Buffer.concat(items);
    return Buffer.concat([Buffer.from([0x30, content.length]), content]);
  };
  const content = Buffer.concat([positive(r), positive(s)]);
  const withLead = (value: bigint) => integer(Buffer.concat([Buffer.alloc(2), fromBig(value, 32)]));

  it("accepts what was signed", () => {
    expect(check(sequence(positive(r), positive(s)))).toBe("verified");
  });

  it.each<[string, Uint8Array]>([
    ["r and s without DER around them", raw],
    ["a length in two bytes", Buffer.concat([Buffer.from([0x30, 0x81, content.length]), content])],
    [
      "a length that is left open",
      Buffer.concat([Buffer.from([0x30, 0x80]), content, Buffer.alloc(2)]),
    ],
    ["zeros in front of r", sequence(withLead(r), positive(s))],
    ["zeros in front of s", sequence(positive(r), withLead(s))],
    ["bytes behind", Buffer.concat([sequence(positive(r), positive(s)), Buffer.alloc(2)])],
    ["bytes inside", sequence(positive(r), positive(s), Buffer.from([5, 0]))],
    ["r plus the order", sequence(positive(r + order), positive(s))],
    ["s plus the order", sequence(positive(r), positive(s + order))],
    ["r of zero", sequence(positive(0n), positive(s))],
    ["s of zero", sequence(positive(r), positive(0n))],
    ["both of zero", sequence(positive(0n), positive(0n))],
    ["both of one", sequence(positive(1n), positive(1n))],
    ["s as the order", sequence(positive(r), positive(order))],
    ["r below zero", sequence(integer(fromBig(r | (1n << 255n), 32)), positive(s))],
    ["r and s swapped", sequence(positive(s), positive(r))],
    ["one number", sequence(positive(r))],
    ["an empty sequence", Buffer.from([0x30, 0])],
  ])("rejects %s", (_what, signature) => {
    expect(check(signature)).toBe("failed");
  });
});

describe("RSA with PKCS #1 v1.5 padding", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicExponent: 3,
  });
  const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const sha1Info = Buffer.from("3021300906052b0e03021a05000414", "hex");
  const digest = createHash("sha256").update(body).digest();
  const signed = Buffer.concat([info, digest]);
  const check = (signature: Uint8Array) =>
    outcome(schemeOf("rsa-sha256"), pem(publicKey), signature);
  /**
   * 00 01 FF … FF 00, then the given bytes. The padding fills the rest, or has the given length.
   */
  const wrap = (
    inner: Buffer,
    { lead = [0, 1], fill = 0xff, padding = 253 - inner.length, tail = Buffer.alloc(0) } = {},
  ) => {
    const padded = Buffer.concat([
      Buffer.from(lead),
      Buffer.alloc(padding, fill),
      Buffer.alloc(1),
      inner,
      tail,
    ]);
    return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, padded);
  };

  it("accepts what was signed", () => {
    expect(check(wrap(signed))).toBe("verified");
    expect(check(sign("sha256", body, privateKey))).toBe("verified");
  });

  it.each<[string, Uint8Array]>([
    [
      "short padding with bytes behind the digest",
      wrap(signed, { padding: 8, tail: Buffer.alloc(245 - signed.length) }),
    ],
    ["padding that is not FF", wrap(signed, { fill: 0xfe })],
    ["the padding of encryption", wrap(signed, { lead: [0, 2] })],
    ["a digest without its name", wrap(digest)],
    ["SHA-1", wrap(Buffer.concat([sha1Info, createHash("sha1").update(body).digest()]))],
    ["another digest", wrap(Buffer.concat([info, Buffer.alloc(32)]))],
    ["a byte behind it", Buffer.concat([wrap(signed), Buffer.alloc(1)])],
    ["a byte in front of it", Buffer.concat([Buffer.alloc(1), wrap(signed)])],
    ["a byte too few", wrap(signed).subarray(1)],
    ["zero", Buffer.alloc(256)],
    ["one", Buffer.concat([Buffer.alloc(255), Buffer.from([1])])],
  ])("rejects %s", (_what, signature) => {
    expect(check(signature)).toBe("failed");
  });
});
