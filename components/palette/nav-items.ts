import { CircleUserRound, House, Inbox, type LucideIcon, Webhook, Workflow } from "lucide-react";

export type NavItem = {
  readonly href: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Other paths that belong to it. */
  readonly covers?: readonly string[];
};

/** The sections of the dashboard, in the order of the menu and the palette. */
export const navItems: readonly NavItem[] = [
  { href: "/", name: "Home", icon: House },
  { href: "/hooks", name: "Hooks", icon: Webhook, covers: ["/actions"] },
  { href: "/deliveries", name: "Deliveries", icon: Inbox },
  { href: "/runs", name: "Runs", icon: Workflow },
  { href: "/account", name: "Account", icon: CircleUserRound },
];

/** Whether a page belongs to a section. */
export function isWithin({ href, covers = [] }: NavItem, pathname: string): boolean {
  if (pathname === href) return true;
  // Every path is below "/".
  const roots = href === "/" ? covers : [href, ...covers];
  return roots.some((root) => pathname === root || pathname.startsWith(`${root}/`));
}
