"use client";

import type { ReactNode } from "react";
import { CommandPalette } from "#components/palette/command-palette.tsx";
import { MainNav } from "#components/palette/main-nav.tsx";
import type { DefaultViews } from "#components/palette/nav-items.ts";
import { PaletteButton } from "#components/palette/palette-button.tsx";
import { DismissalProvider } from "#components/permissions/dismissals.tsx";
import { RoleProvider } from "#components/permissions/role.tsx";
import { Toaster } from "#components/ui/feedback/toaster.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TimeZoneProvider } from "#components/ui/time/time-zone.tsx";
import type { AccountNotice } from "#lib/schema/account/notices.ts";
import type { Role } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { AccountSwitch } from "./account-switch.tsx";
import { AccountWatch } from "./account-watch.tsx";
import { Logo } from "./logo.tsx";
import { MenuSheet } from "./menu-sheet.tsx";
import { SignOutButton } from "./sign-out.tsx";
import { SkipLink } from "./skip-link.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

type Person = {
  readonly email: string;
  /** For the side bar. */
  readonly openProblems: number;
  readonly defaultViews: DefaultViews;
  /** The account that the pages show. */
  readonly account: { readonly id: string; readonly name: string };
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly switchAccount: (id: string) => Promise<CommandResult<null>>;
};

type AppShellProps = Person & {
  /** The time zone that the user has chosen. Null: that of the browser. */
  readonly timeZone: string | null;
  readonly role: Role;
  /** Fields of payloads are masked for the person. */
  readonly seesMasked: boolean;
  /** When the server read which account the session shows, as Unix time. */
  readonly readAtMs: number;
  /** Notices that the account has dismissed. */
  readonly dismissedNotices: readonly string[];
  readonly dismissNotice: (notice: AccountNotice) => Promise<CommandResult<null>>;
  readonly children: ReactNode;
};

/** The frame of every page: a sidebar on wide screens, a top bar with "Menu" on narrow ones. */
export function AppShell({
  children,
  timeZone,
  role,
  seesMasked,
  readAtMs,
  dismissedNotices,
  dismissNotice,
  ...person
}: AppShellProps) {
  return (
    <RoleProvider role={role} seesMasked={seesMasked}>
      <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
        <SkipLink />
        <div className="border-b bg-card lg:border-r lg:border-b-0">
          <header
            className={
              "flex items-center justify-between gap-2 px-4 py-2 sm:px-6 " +
              "lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch " +
              "lg:justify-start lg:gap-4 lg:overflow-y-auto lg:px-3 lg:py-4"
            }
          >
            <Link href="/" aria-label="Catchment, home" className="inline-flex rounded-md lg:px-2">
              <Logo />
            </Link>
            <div className="flex gap-1 lg:hidden">
              <PaletteButton isSmall />
              <MenuSheet>
                <MenuContent {...person} />
              </MenuSheet>
            </div>
            <div className="hidden lg:contents">
              <PaletteButton />
              <MenuContent {...person} />
            </div>
          </header>
        </div>
        <main
          id="content"
          tabIndex={-1}
          className={
            "mx-auto grid w-full max-w-6xl min-w-0 grid-cols-1 " +
            "content-start gap-8 px-4 py-8 outline-none sm:px-6 lg:px-8 " +
            "has-data-full:max-w-none has-data-full:gap-6 has-data-full:py-6 " +
            "has-data-wide:max-w-none has-[.editor]:py-4 lg:has-data-wide:px-3"
          }
        >
          <DismissalProvider dismissed={dismissedNotices} dismiss={dismissNotice}>
            <TimeZoneProvider timeZone={timeZone}>{children}</TimeZoneProvider>
          </DismissalProvider>
        </main>
        <Toaster />
        <CommandPalette openProblems={person.openProblems} defaultViews={person.defaultViews} />
        <AccountWatch account={person.account} readAtMs={readAtMs} />
      </div>
    </RoleProvider>
  );
}

function MenuContent({ email, openProblems, defaultViews, ...accounts }: Person) {
  return (
    <>
      <MainNav openProblems={openProblems} defaultViews={defaultViews} />
      <div className="mt-auto grid gap-3 border-t pt-3">
        <ThemeSwitch />
        <div className="flex items-center gap-1">
          <div className="grid min-w-0 flex-1 px-2 text-xs">
            <AccountSwitch {...accounts} />
            <span className="truncate text-muted-foreground" title={safeText(email)}>
              {safeText(email)}
            </span>
          </div>
          <SignOutButton />
        </div>
      </div>
    </>
  );
}
