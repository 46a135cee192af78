/** The cookie of a session, for processes that don't load next-auth. */
import { createDecipheriv, hkdfSync } from "node:crypto";
import { deriveKey } from "#lib/core/people/seal/derive-key.ts";

export function sessionCookie(isHttps: boolean) {
  return {
    name: `${isHttps ? "__Host-" : ""}catchment.session`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps },
  } as const;
}

/** Returns the secret that seals sessions, from `CATCHMENT_SECRET_KEY`. */
export function deriveSessionSecret(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "sessions")).toString("base64url");
}

/**
 * Returns what checks that a cookie is one of our sessions and hasn't expired, without the 20 MB that
 * next-auth takes. It doesn't replace `readSessionToken`: the session may have ended.
 *
 * The format is that of `next-auth/jwt`: a JWE (RFC 7516) with `dir` and `A256GCM`.
 */
export function createSessionCheck(secret: string): (cookie: string, nowMs: number) => boolean {
  const key = new Uint8Array(
    hkdfSync("sha256", secret, "", "NextAuth.js Generated Encryption Key", 32),
  );
  return (cookie, nowMs) => {
    const [header = "", , iv = "", content = "", tag = ""] = cookie.split(".");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, fromBase64(iv), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(header)).setAuthTag(fromBase64(tag));
      const text = Buffer.concat([decipher.update(fromBase64(content)), decipher.final()]);
      const { use, sid, exp } = JSON.parse(text.toString()) as Readonly<Record<string, unknown>>;
      return use === "session" && typeof sid === "string" && Number(exp) * 1_000 > nowMs;
    } catch {
      return false;
    }
  };
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64url");
}
