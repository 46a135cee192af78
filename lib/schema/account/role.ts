/** The roles of an account's members, least first. Each role may do all that the ones before it may. */
export const roles = ["viewer", "member", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

/** True if a role may do what `least` may. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}
