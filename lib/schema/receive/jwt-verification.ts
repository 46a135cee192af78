/**
 * A JSON Web Token (RFC 7519) as proof, configured by a user. The secret is the key: a shared key
 * for HS…, otherwise the public key as PEM.
 */
import { z } from "zod";
import { brokenRule, type FieldErrorCode } from "#lib/schema/field/command-result.ts";
import { hasAtMost, isDistinct } from "#lib/schema/field/common.ts";
import { customHandshakes, rejectComputed } from "./custom-handshake.ts";
import {
  encoding,
  printable,
  requestSource,
  seconds,
  secretDecoding,
  textHash,
} from "./value-source.ts";

const claim = printable("the name of a claim", 64);

export const jwtSchema = z
  .strictObject({
    kind: z.literal("jwt"),
    source: requestSource,
    /** The text before the token, in any case: `Bearer `. */
    prefix: printable("a prefix", 32).optional(),
    /**
     * The algorithms are fixed. The token can't choose one, and each key only works with its own
     * kind.
     */
    algorithms: z
      .array(
        z.enum(["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "EdDSA"], {
          error: 'must be "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256" or "EdDSA"',
        }),
      )
      .min(1, "must name an algorithm")
      .max(8, "names an algorithm twice")
      .refine(...isDistinct("names an algorithm twice")),
    /** The decoding from the pasted text of a shared secret to the key. Default: UTF-8. */
    decode: secretDecoding.optional(),
    issuer: printable("an issuer", 500).optional(),
    /** The value of `aud`, or one of its values. */
    audience: printable("an audience", 500).optional(),
    /** Claims that must have exactly these texts. */
    claims: z
      .record(claim, printable("a value", 500))
      .refine(...hasAtMost(8, "at most 8 claims"))
      .optional(),
    /** The claim with the hash of the body as sent. */
    bodyHash: z.strictObject({ claim, hash: textHash, encoding }).optional(),
    /** Required confirmation: such a token proves the origin, not the content. */
    bodyNotSigned: z.literal(true, { error: "must be true or omitted" }).optional(),
    /** The maximum age by `iat`. Without it `exp` decides. */
    maxAgeSeconds: seconds(1).optional(),
    /** The largest allowed difference between the clocks. Default: 60. */
    leewaySeconds: seconds(0).optional(),
    /**
     * Required confirmation: a captured token stays valid forever, so only de-duplication stops
     * replays.
     */
    timeNotSigned: z.literal(true, { error: "must be true or omitted" }).optional(),
    handshakes: customHandshakes.optional(),
  })
  .superRefine(({ bodyHash, bodyNotSigned, maxAgeSeconds, timeNotSigned, handshakes }, context) => {
    const reject = (code: FieldErrorCode, path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], ...brokenRule(code, message) });
    if (bodyHash === undefined && bodyNotSigned !== true)
      reject(
        "required",
        "bodyHash",
        "must name the claim with the body's hash; if there is none, set bodyNotSigned to true",
      );
    if (bodyHash !== undefined && bodyNotSigned === true)
      reject("conflict", "bodyNotSigned", "can't be combined with bodyHash");
    if (maxAgeSeconds !== undefined && timeNotSigned === true)
      reject("conflict", "timeNotSigned", "can't be combined with maxAgeSeconds");
    rejectComputed(handshakes, context);
  });

export type JwtVerification = z.output<typeof jwtSchema>;
