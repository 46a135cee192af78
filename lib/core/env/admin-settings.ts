import { givenApiTokenSchema } from "#lib/schema/account/api-token.ts";
import { accountSlugSchema } from "#lib/schema/account/setup.ts";
import { emailSchema, givenPasswordSchema } from "#lib/schema/account/sign-in.ts";
import { defineGroup, ifSet, setting, type Values } from "./setting.ts";

/** Only the step that creates the first owner reads them, in the supervisor. */
export const adminSettings = defineGroup({
  about:
    "The first owner, created at start if there is none. Without them, a one-time setup link is printed.",
  roles: [],
  settings: {
    email: setting(
      "CATCHMENT_ADMIN_EMAIL",
      emailSchema.optional(),
      "creates the first owner without a browser, with this email",
    ),
    // Only a new owner needs one that follows the rules: see `ensureFirstOwner`.
    password: setting(
      "CATCHMENT_ADMIN_PASSWORD",
      givenPasswordSchema.optional(),
      "the owner's password: at least 10 characters, and none of the 49,000 most common",
      { isSecret: true },
    ),
    account: setting(
      "CATCHMENT_ADMIN_ACCOUNT",
      accountSlugSchema.optional(),
      "the slug of the owner's account, which is part of every catch URL",
      { unset: "`main`" },
    ),
    apiToken: setting(
      "CATCHMENT_ADMIN_API_TOKEN",
      givenApiTokenSchema.optional(),
      "an API token of the account, with all scopes: at least 32 characters",
      { isSecret: true },
    ),
  },
  // An incomplete owner would silently not be created.
  check: (given) => {
    const isGiven = Object.values(given).some((value) => value !== undefined);
    const fault = isGiven && "must be set, because another CATCHMENT_ADMIN_ variable is";
    return {
      email: given.email === undefined && fault,
      password: given.password === undefined && fault,
    };
  },
});

export type AdminEnv = NonNullable<ReturnType<typeof toAdminEnv>>;

/** Undefined: the first owner is created in a browser. */
export function toAdminEnv(given: Values<typeof adminSettings.settings>) {
  return ifSet({ ...given, account: given.account ?? "main" }, "email", "password");
}
