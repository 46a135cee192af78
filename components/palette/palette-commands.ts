import {
  CirclePlus,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  RotateCcw,
  Send,
  Settings,
  Sun,
  UserPlus,
} from "lucide-react";
import type { Permission } from "#lib/schema/account/permissions.ts";
import { failuresSpan } from "#lib/schema/act/run-limits.ts";
import { accountSectionGroups } from "./account-sections.ts";
import { navItems } from "./nav-items.ts";

export type PaletteCommand = {
  readonly id: string;
  readonly group: "Commands" | "On this page" | "Go to" | "Create" | "Settings";
  readonly name: string;
  /** Other words that find the command. */
  readonly words: string;
  readonly icon: LucideIcon;
  /** Hidden from people who may not do it. */
  readonly needs?: Permission;
  readonly does:
    | { readonly kind: "go"; readonly href: string }
    | { readonly kind: "theme"; readonly theme: "system" | "light" | "dark" }
    /** A button or link of the page. */
    | { readonly kind: "press"; readonly control: HTMLElement }
    | { readonly kind: "shortcuts" }
    | { readonly kind: "sign-out" };
};

/** Says how many it would retry. */
export const retryFailedId = "retry-failed";

/** Commands that work on every page. */
export const paletteCommands: readonly PaletteCommand[] = [
  {
    id: retryFailedId,
    group: "Commands",
    name: "Retry failed runs…",
    words: "again bulk failures all",
    icon: RotateCcw,
    needs: "deliveries:write",
    does: { kind: "go", href: `/runs?status=failed&since=${failuresSpan}&open=retry` },
  },
  {
    id: "invite",
    group: "Commands",
    name: "Invite a person…",
    words: "add member people account team",
    icon: UserPlus,
    needs: "members:write",
    does: { kind: "go", href: "/account/people?open=invite" },
  },
  ...navItems.map(
    ({ href, name, icon }): PaletteCommand => ({
      id: `go-${href}`,
      group: "Go to",
      name,
      words: "open page",
      icon,
      does: { kind: "go", href },
    }),
  ),
  ...accountSectionGroups
    .flatMap(({ sections }) => sections)
    .map(
      ({ href, name, words }): PaletteCommand => ({
        id: `go-${href}-section`,
        group: "Go to",
        name: `Settings: ${name}`,
        words: `open page account ${words}`,
        icon: Settings,
        does: { kind: "go", href },
      }),
    ),
  {
    id: "go-credentials",
    group: "Go to",
    name: "Credentials",
    words: "open page secrets keys oauth certificate destinations",
    icon: KeyRound,
    does: { kind: "go", href: "/credentials" },
  },
  {
    id: "new-hook",
    group: "Create",
    name: "New hook",
    words: "create add catch url webhook",
    icon: CirclePlus,
    does: { kind: "go", href: "/hooks/new" },
  },
  {
    id: "new-subscription",
    group: "Create",
    name: "New subscription",
    words: "create add receiver url webhook send",
    icon: CirclePlus,
    does: { kind: "go", href: "/subscriptions/new" },
  },
  {
    id: "new-event",
    group: "Create",
    name: "Send an event",
    words: "publish first test webhook curl",
    icon: Send,
    does: { kind: "go", href: "/events/new" },
  },
  theme("system", "System theme", Monitor),
  theme("light", "Light theme", Sun),
  theme("dark", "Dark theme", Moon),
  {
    id: "shortcuts",
    group: "Settings",
    name: "Keyboard shortcuts",
    words: "help keys",
    icon: Keyboard,
    does: { kind: "shortcuts" },
  },
  {
    id: "sign-out",
    group: "Settings",
    name: "Sign out",
    words: "log out leave end session",
    icon: LogOut,
    does: { kind: "sign-out" },
  },
];

/** Entries that contain every word of the text, in any order. */
export function findCommands(
  text: string,
  ofPage: readonly PaletteCommand[] = [],
): readonly PaletteCommand[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  // A page's own button comes first, once.
  const names = new Set(ofPage.map(({ name }) => name));
  const others = paletteCommands.filter(({ name }) => !names.has(name));
  return [...ofPage, ...others].filter(({ group, name, words }) => {
    const all = `${group} ${name} ${words}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}

function theme(id: "system" | "light" | "dark", name: string, icon: LucideIcon): PaletteCommand {
  const does = { kind: "theme", theme: id } as const;
  return {
    id: `theme-${id}`,
    group: "Settings",
    name,
    words: "switch colours mode theme",
    icon,
    does,
  };
}
