import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

type Account = { readonly username: string; readonly password: string };

/**
 * The server's side of SCRAM (RFC 5802) for one login. Null: it is rejected. A server with another password than the
 * client's is what one is that only claims to know it.
 */
export function createScramServer(
  mechanism: string,
  { username, password }: Account,
): (text: string) => string | null {
  const hash = mechanism === "SCRAM-SHA-256" ? "sha256" : "sha512";
  const bytes = hash === "sha256" ? 32 : 64;
  const [salt, count] = [Buffer.from("some salt"), 4_096];
  const salted = pbkdf2Sync(password, salt, count, bytes, hash);
  const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest();
  let [bare, first] = ["", ""];
  return (text) => {
    if (bare === "") {
      bare = text.slice("n,,".length);
      const [, name, nonce] = /^n=([^,]*),r=(.+)$/.exec(bare) ?? [];
      if (name !== username) return null;
      first = `r=${nonce}server,s=${salt.toString("base64")},i=${count}`;
      return first;
    }
    const [, spoken = "", proof = ""] = /^(.*),p=([^,]+)$/.exec(text) ?? [];
    const all = `${bare},${first},${spoken}`;
    const storedKey = createHash(hash).update(mac(salted, "Client Key")).digest();
    const signature = mac(storedKey, all);
    const clientKey = Buffer.from(proof, "base64").map((byte, at) => byte ^ (signature[at] ?? 0));
    if (!createHash(hash).update(clientKey).digest().equals(storedKey)) return null;
    return `v=${mac(mac(salted, "Server Key"), all).toString("base64")}`;
  };
}
