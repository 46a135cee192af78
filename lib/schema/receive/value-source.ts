/** The places of values in a request, for every kind of verification and handshake. */
import { z } from "zod";
import { bodyPath } from "#lib/schema/field/common.ts";

export const headerName = z
  .string()
  .min(1, "must name a header")
  .max(128, "a header name has at most 128 characters")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not a header name: use letters, digits, and hyphens")
  .toLowerCase();

export const printable = (what: string, max: number) =>
  z
    .string()
    .min(1, `${what} must not be empty`)
    .max(max, `${what} has at most ${max} characters`)
    .regex(/^[\x20-\x7e]*$/, `${what} may hold printable ASCII characters only`);

export const headerSource = z.strictObject({ from: z.literal("header"), name: headerName });
export const bodySource = z.strictObject({ from: z.literal("body"), path: bodyPath });
const formSource = z.strictObject({
  from: z.literal("form"),
  name: printable("a form field", 128),
});
export const querySource = z.strictObject({
  from: z.literal("query"),
  name: printable("a query parameter", 128),
});
/** The first segment below the catch URL: `/catch/acme/k3y/TOKEN`. */
export const pathSource = z.strictObject({ from: z.literal("path") });
const partSource = z.strictObject({ from: z.literal("part"), key: printable("a key", 32) });

/** `part` is a key inside the signature header. */
export const valueSource = z.discriminatedUnion(
  "from",
  [headerSource, bodySource, formSource, querySource, partSource],
  { error: 'must be "header", "body", "form", "query" or "part"' },
);

/** A place in the request. */
export const requestSource = z.discriminatedUnion(
  "from",
  [headerSource, bodySource, formSource, querySource],
  { error: 'must be "header", "body", "form" or "query"' },
);

export const encoding = z.enum(["hex", "base64", "base64url"], {
  error: 'must be "hex", "base64" or "base64url"',
});

/** The decodings from the pasted text of a secret to the key. */
export const secretDecoding = z.enum(["utf8", "base64", "base64url", "hex"], {
  error: 'must be "utf8", "base64", "base64url" or "hex"',
});
export type SecretDecoding = z.output<typeof secretDecoding>;

const maxSeconds = 30 * 86_400;

export const seconds = (min: number) =>
  z
    .number({ error: "must be a whole number of seconds" })
    .int("must be a whole number of seconds")
    .min(min, `must be at least ${min} s`)
    .max(maxSeconds, `must be at most ${maxSeconds} s (30 days)`);

export const textHash = z.enum(["sha256", "sha384", "sha512"], {
  error: 'must be "sha256", "sha384" or "sha512"',
});
