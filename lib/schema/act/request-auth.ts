/** The ways in which a request proves who sends it, and the names that it may use for that. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { perCallHeaders } from "./forward.ts";

/**
 * Catchment or the connection sets these. Values from users would break framing, the address guard,
 * or idempotency.
 */
const reservedHeaders: ReadonlySet<string> = new Set([...perCallHeaders, "user-agent"]);
const reservedPrefixes = ["proxy-", "webhook-", "catchment-"];

/** True if Catchment reserves the header name, in any case. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return reservedHeaders.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** RFC 9110 §5.6.2. */
export const headerName = z
  .string()
  .min(1, "a header name must not be empty")
  .max(128, "a header name must have at most 128 characters")
  .regex(
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    "a header name must be a token (letters, digits and !#$%&'*+-.^_`|~)",
  )
  .refine(
    (text) => !isReservedHeader(text),
    brokenRule("not_allowed", "is set by Catchment and can't be changed"),
  );

const parameterName = z
  .string()
  .min(1, "a query name must not be empty")
  .max(256, "a query name must have at most 256 characters")
  .refine((text) => text.isWellFormed(), "a query name can't contain half of a surrogate pair");

/** Visible ASCII: what a credential header can contain. */
const secretText = z
  .string()
  .min(1, "must not be empty")
  .max(8192, "must have at most 8192 characters")
  .regex(/^[\x20-\x7e]+$/, "must be visible ASCII characters");

/**
 * Credentials that are sent unchanged with every request. A saved credential can be of each of
 * these types.
 */
export const fixedAuths = [
  z.strictObject({
    type: z
      .literal("bearer")
      .describe("How the request proves who sends it. `credential` uses a saved one"),
    token: secretText.describe("The token after `Bearer`"),
  }),
  z.strictObject({
    type: z.literal("basic"),
    // RFC 7617 §2: a colon would end the user name. Empty is allowed: many services take a key as
    // the name alone.
    username: z
      .string()
      .max(1024, "must have at most 1024 characters")
      .refine((text) => !/[:\p{Cc}]/u.test(text), "must not contain a colon or control characters")
      .describe("For `basic`: the user name. May be empty"),
    password: z
      .string()
      .max(4096, "must have at most 4096 characters")
      .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters")
      .describe("For `basic`: the password. May be empty"),
  }),
  z.strictObject({
    type: z.literal("header"),
    name: headerName.describe("The name of the header, query parameter, or field of the body"),
    value: secretText.describe("The secret value under that name"),
  }),
  z.strictObject({ type: z.literal("query"), name: parameterName, value: secretText }),
] as const;

// A credential in a field at the top level of a JSON or form body, for receivers that look for it
// nowhere else.
const bodyAuth = z.strictObject({
  type: z.literal("body"),
  name: parameterName,
  value: secretText,
});

const requestAuth = z.discriminatedUnion("type", [...fixedAuths, bodyAuth]);

/** Credentials of an action. Write-only: stored encrypted, never returned. */
export type RequestAuth = z.infer<typeof requestAuth>;

const objectId = (what: string) => z.uuid({ error: `must be the id of a ${what}` }).toLowerCase();

/** The id of a destination of the account. */
export const destinationId = objectId("destination");
export const credentialId = objectId("credential");

/** Credentials of the request, or a saved credential of the account. */
export const authInput = z
  .discriminatedUnion("type", [
    ...fixedAuths,
    bodyAuth,
    z.strictObject({
      type: z.literal("credential"),
      credentialId: credentialId.describe("The saved credential. It is sent to its origin only"),
    }),
  ])
  .meta({ id: "RequestAuth" });
