import {
  BookOpen,
  CircleUserRound,
  House,
  Inbox,
  type LucideIcon,
  Rss,
  Send,
  Server,
  Siren,
  Tags,
  Users,
  Webhook,
  Workflow,
} from "lucide-react";

export type NavItem = {
  readonly href: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Other paths that belong to the item. */
  readonly covers?: readonly string[];
};

type NavGroup = {
  /** The title above the items. Null: none. */
  readonly title: string | null;
  readonly items: readonly NavItem[];
};

/** The sections of the dashboard, as in the menu. */
export const navGroups: readonly NavGroup[] = [
  {
    title: null,
    items: [
      { href: "/", name: "Home", icon: House },
      { href: "/problems", name: "Problems", icon: Siren },
    ],
  },
  {
    title: "Receive",
    items: [
      { href: "/hooks", name: "Hooks", icon: Webhook, covers: ["/actions"] },
      { href: "/deliveries", name: "Deliveries", icon: Inbox },
      { href: "/runs", name: "Runs", icon: Workflow },
      { href: "/destinations", name: "Destinations", icon: Server, covers: ["/credentials"] },
    ],
  },
  {
    title: "Send",
    items: [
      { href: "/events", name: "Events", icon: Send },
      { href: "/subscriptions", name: "Subscriptions", icon: Rss },
      { href: "/recipients", name: "Recipients", icon: Users },
      { href: "/event-types", name: "Event types", icon: Tags },
    ],
  },
  {
    title: null,
    items: [
      { href: "/account", name: "Account", icon: CircleUserRound },
      { href: "/docs", name: "Docs", icon: BookOpen },
    ],
  },
];

/** The items in one list, for the palette. */
export const navItems: readonly NavItem[] = navGroups.flatMap(({ items }) => items);

/** The query of the view that everyone sees first, by the path of its list. */
export type DefaultViews = Readonly<Record<string, string>>;

/** Where the menu leads: a list opens with its default view. */
export function toDefaultView(href: string, views: DefaultViews): string {
  return `${href}${views[href] ?? ""}`;
}

/** True if a page belongs to a section. */
export function isWithin({ href, covers = [] }: NavItem, pathname: string): boolean {
  if (pathname === href) return true;
  // Every path starts with "/".
  const roots = href === "/" ? covers : [href, ...covers];
  return roots.some((root) => pathname === root || pathname.startsWith(`${root}/`));
}
