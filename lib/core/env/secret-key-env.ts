import { z } from "zod";

/** The variables of the secret key, and of the one before it. */
export const secretKeyVariables = {
  CATCHMENT_SECRET_KEY: z
    .string()
    .min(32, "must have at least 32 characters; create one with `openssl rand -base64 32`")
    .optional(),
  CATCHMENT_PREVIOUS_SECRET_KEY: z
    .string()
    .min(32, "must have at least 32 characters, like the secret key that it was")
    .optional(),
};

type Given = {
  readonly DATABASE_URL?: string | undefined;
  readonly CATCHMENT_SECRET_KEY?: string | undefined;
};

/** The embedded database has its key in the data folder. */
export function requireSecretKey(v: Given): { variable: string; message: string }[] {
  if (v.DATABASE_URL === undefined || v.CATCHMENT_SECRET_KEY !== undefined) return [];
  const message =
    "must be set when DATABASE_URL is: at least 32 characters, the same on " +
    "every machine; create one with `openssl rand -base64 32`";
  return [{ variable: "CATCHMENT_SECRET_KEY", message }];
}
