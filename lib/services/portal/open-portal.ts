import { findPortalAccess, type PortalAccess } from "#lib/db/recipients/portal-links.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The portal that a link opens: one recipient of one account, and what its people may do. */
export type Portal = PortalAccess & {
  /** The title of the portal. */
  readonly name: string;
};

/**
 * Turns the token of a link into its portal, or null if it is unknown, expired, or revoked. Every
 * page and every command of the portal starts here.
 */
export async function openPortal({ db }: ServiceParts, token: string): Promise<Portal | null> {
  const access = await findPortalAccess(db, token);
  if (access === null) return null;
  return { ...access, name: access.settings.portalName ?? access.accountName };
}
