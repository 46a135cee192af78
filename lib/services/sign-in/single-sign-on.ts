import { AppError } from "#lib/base/errors.ts";
import { checkIssuer, type IssuerCheck } from "#lib/net/sign-in/check-issuer.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** How the operator has set up the identity provider. It can only be changed in the environment. */
export const readSingleSignOn = service({
  permission: "account:write",
  input: noFields,
  run: async ({ env: { oidc, publicUrl } }) => ({
    name: oidc?.name ?? null,
    /** Null: single sign-on is off. */
    issuer: oidc?.issuer ?? null,
    isOnly: oidc?.isOnly === true,
    /** The address to register at the provider. */
    redirectUri: `${publicUrl}/api/auth/callback/oidc`,
  }),
});

/** Asks the identity provider for what a sign-in needs. Changes nothing. */
export const testSingleSignOn = service({
  permission: "account:write",
  input: noFields,
  run: async ({ env: { oidc } }): Promise<IssuerCheck> => {
    if (oidc === undefined)
      throw new AppError("conflict", "Single sign-on is off. Set CATCHMENT_OIDC_ISSUER first.");
    return await checkIssuer(oidc);
  },
});
