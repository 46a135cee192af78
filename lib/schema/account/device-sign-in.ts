/** A sign-in for tools without a browser (RFC 8628), as tools, pages, and the database exchange it. */
import { z } from "zod";
import { apiScopes, readScopes } from "./scopes.ts";

/** The one client. It is public: anyone can say that they are it, so it proves nothing. */
export const cliClientId = "catchment-cli";

export const deviceCodeGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** How long a person has for allowing it. */
export const deviceSignInSeconds = 600;
export const pollSeconds = 5;
export const deviceTokenDays = 90;

/** Base64url of 256 random bits. */
export const deviceCodeSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Neither digits nor letters that look like others: 0, O, 1, I, L. */
export const userCodeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** The code that a person types, with or without its hyphen, in any case. Read as 8 characters. */
export const userCodeSchema = z
  .string()
  .max(100, "has 8 letters and digits, such as WDJB-MJHT")
  .transform((text) => text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase())
  .pipe(
    z
      .string()
      .regex(
        new RegExp(`^[${userCodeAlphabet}]{8}$`),
        "has 8 letters and digits, such as WDJB-MJHT. It never contains 0, O, 1, I, or L.",
      ),
  );

/** The code as it is shown. */
export function writeUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The name of a machine, as the machine says. Without spaces, so that it can't be a sentence. */
export const hostNameSchema = z.string().regex(/^[\p{L}\p{M}\p{N}._-]{1,64}$/u);

/** Scopes with spaces in between (RFC 6749 §3.3). Omitted: those that only read. */
export const oauthScopeSchema = z
  .string()
  .max(1_000)
  .default(readScopes.join(" "))
  .transform((text) => text.split(" ").filter((word) => word !== ""))
  .pipe(z.array(z.enum(apiScopes)).min(1))
  .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope)));
