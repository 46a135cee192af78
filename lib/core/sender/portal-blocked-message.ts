import type { AllowList } from "#lib/core/address/allow-list.ts";
import { checkUrl, toFieldCode } from "#lib/core/address/check-url.ts";
import { invalidField } from "#lib/errors.ts";

/**
 * The message about a blocked receiver URL that is entered in the portal, for the portal and the
 * account.
 */
export const portalBlockedMessage =
  "Receivers that are entered in the portal can't use this address or port. The " +
  "operator of this server can allow it with CATCHMENT_PORTAL_EGRESS_ALLOW.";

/** Throws `invalid_request` for a receiver URL that may not be called, as far as its text shows. */
export function requireCallableUrl(
  receiverUrl: string,
  { allowList, isPortal = false }: { readonly allowList: AllowList; readonly isPortal?: boolean },
): void {
  const checked = checkUrl(receiverUrl, allowList);
  if (checked.ok) return;
  const isBlocked = checked.code === "blocked" && isPortal;
  const message = isBlocked ? portalBlockedMessage : checked.message;
  throw invalidField("receiverUrl", message, toFieldCode(checked.code));
}
