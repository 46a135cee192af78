"use client";

import { createContext, type ReactNode, useContext } from "react";
import { isAllowed, type Permission } from "#lib/schema/account/permissions.ts";
import type { Role } from "#lib/schema/account/role.ts";

// Pages without members, such as the portal, draw what their link includes.
const RoleContext = createContext<Reader>({ role: "owner", seesMasked: false });

type Reader = {
  readonly role: Role;
  /** Fields of payloads are masked for the user. */
  readonly seesMasked: boolean;
};

/** Tells every part of a page the user's role. The services decide; this only avoids dead buttons. */
export function RoleProvider({ role, seesMasked, children }: Reader & { children: ReactNode }) {
  return <RoleContext value={{ role, seesMasked }}>{children}</RoleContext>;
}

export function useReader(): Reader {
  return useContext(RoleContext);
}

/** True if the user's role has the permission. */
export function useAllowed(permission: Permission): boolean {
  return isAllowed(useReader().role, permission);
}

/** Draws its children only for users whose role has the permission. */
export function Allowed({ to, children }: { to: Permission; children: ReactNode }) {
  return useAllowed(to) ? children : null;
}
