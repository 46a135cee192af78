import { z } from "zod";
import { givenApiTokenSchema } from "#lib/schema/account/api-token.ts";
import { accountSlugSchema } from "#lib/schema/account/setup.ts";
import { emailSchema, givenPasswordSchema } from "#lib/schema/account/sign-in.ts";

/** The first owner, created on first start. */
export type AdminEnv = {
  readonly email: string;
  readonly password: string;
  readonly account: string;
  readonly apiToken: string | undefined;
};

export const adminVariables = {
  CATCHMENT_ADMIN_EMAIL: emailSchema.optional(),
  // Only a new owner needs one that follows the rules: see `ensureFirstOwner`.
  CATCHMENT_ADMIN_PASSWORD: givenPasswordSchema.optional(),
  CATCHMENT_ADMIN_ACCOUNT: accountSlugSchema.optional(),
  CATCHMENT_ADMIN_API_TOKEN: givenApiTokenSchema.optional(),
};

const variables = z.object(adminVariables);
type Variables = z.infer<typeof variables>;

export function toAdminEnv(v: Variables): AdminEnv | undefined {
  if (v.CATCHMENT_ADMIN_EMAIL === undefined || v.CATCHMENT_ADMIN_PASSWORD === undefined)
    return undefined;
  return {
    email: v.CATCHMENT_ADMIN_EMAIL,
    password: v.CATCHMENT_ADMIN_PASSWORD,
    account: v.CATCHMENT_ADMIN_ACCOUNT ?? "main",
    apiToken: v.CATCHMENT_ADMIN_API_TOKEN,
  };
}

/** An incomplete owner would silently not be created. */
export function requireWholeOwner(v: Variables): { variable: string; message: string }[] {
  const others = [
    "CATCHMENT_ADMIN_EMAIL",
    "CATCHMENT_ADMIN_PASSWORD",
    "CATCHMENT_ADMIN_ACCOUNT",
    "CATCHMENT_ADMIN_API_TOKEN",
  ] as const;
  if (others.every((name) => v[name] === undefined)) return [];
  return (["CATCHMENT_ADMIN_EMAIL", "CATCHMENT_ADMIN_PASSWORD"] as const)
    .filter((name) => v[name] === undefined)
    .map((variable) => ({
      variable,
      message: "must be set, because another CATCHMENT_ADMIN_ variable is",
    }));
}
