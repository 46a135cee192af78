import { createHash, createHmac, pbkdf2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

type ScramHash = "sha256" | "sha512";

type ScramLogin = {
  readonly username: string;
  readonly password: string;
  readonly hash: ScramHash;
  /** Random, without commas. */
  readonly nonce: string;
};

const derive = promisify(pbkdf2);
/** RFC 7677 asks for the first. A server that asks for more than the last wants to keep this machine busy. */
const iterationLimits = { min: 4_096, max: 200_000 };
/** Base64 of `n,,`: no channel binding. */
const noBinding = "biws";

/** The client's side of SCRAM (RFC 5802): the password itself is never sent. */
export class Scram {
  readonly #login: ScramLogin;
  readonly #bare: string;
  #expected = Buffer.alloc(0);

  constructor(login: ScramLogin) {
    this.#login = login;
    const name = login.username.replaceAll("=", "=3D").replaceAll(",", "=2C");
    this.#bare = `n=${name},r=${login.nonce}`;
  }

  first(): string {
    return `n,,${this.#bare}`;
  }

  /** Null: the server's message isn't one of SCRAM. */
  async second(serverFirst: string): Promise<string | null> {
    const { password, hash, nonce } = this.#login;
    const [, both = "", salt = "", count = ""] =
      /^r=([^,]+),s=([A-Za-z0-9+/=]+),i=(\d{1,9})(?:,|$)/.exec(serverFirst) ?? [];
    const iterations = Number(count);
    if (!both.startsWith(nonce) || both.length === nonce.length) return null;
    if (iterations < iterationLimits.min || iterations > iterationLimits.max) return null;
    const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest();
    const bytes = hash === "sha256" ? 32 : 64;
    // Not all of SASLprep (RFC 4013): its other rules change few passwords.
    const secret = password.normalize("NFKC");
    const salted = await derive(secret, Buffer.from(salt, "base64"), iterations, bytes, hash);
    const clientKey = mac(salted, "Client Key");
    const storedKey = createHash(hash).update(clientKey).digest();
    const withoutProof = `c=${noBinding},r=${both}`;
    const spoken = `${this.#bare},${serverFirst},${withoutProof}`;
    const signature = mac(storedKey, spoken);
    const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
    this.#expected = mac(mac(salted, "Server Key"), spoken);
    return `${withoutProof},p=${Buffer.from(proof).toString("base64")}`;
  }

  /** True if the server knows the password too. */
  isVerified(serverFinal: string): boolean {
    const [, signature = ""] = /^v=([A-Za-z0-9+/=]+)(?:,|$)/.exec(serverFinal) ?? [];
    const given = Buffer.from(signature, "base64");
    const { length } = this.#expected;
    return length > 0 && given.length === length && timingSafeEqual(given, this.#expected);
  }
}
