/** Passkeys, as browsers send them. The library that verifies them reads the rest. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";

const maxText = 20_000;

/** The response of a browser: base64url texts in an object. */
export const passkeyResponseSchema = z
  .looseObject({
    id: z.string().min(1).max(1_400),
    response: z.record(z.string(), z.unknown()),
  })
  .refine((response) => JSON.stringify(response).length <= maxText, "is too long");

export const passkeyNameSchema = displayName;

export const maxPasskeys = 20;
