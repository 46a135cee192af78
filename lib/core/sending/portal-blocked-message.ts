/**
 * The message about a blocked receiver URL that is entered in the portal, for the portal and the
 * account.
 */
export const portalBlockedMessage =
  "Receivers that are entered in the portal can't use this address or port. The " +
  "operator of this server can allow it with CATCHMENT_PORTAL_EGRESS_ALLOW.";
