"use client";

import type { ReactNode } from "react";
import { SkipLink } from "#components/shell/skip-link.tsx";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { Toaster } from "#components/ui/feedback/toaster.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { PortalLogo } from "./portal-logo.tsx";

type PortalFrameProps = {
  readonly name: string;
  /** A data URL. */
  readonly logo: string | null;
  /** The page that the name links to. */
  readonly home: string;
  readonly nav?: ReactNode;
  readonly children: ReactNode;
};

/** The account's name and logo above pages for its customers. */
export function PortalFrame({ name, logo, home, nav, children }: PortalFrameProps) {
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto]">
      <SkipLink />
      <header className="border-b bg-card">
        <div className="mx-auto flex w-full max-w-4xl flex-wrap items-stretch gap-x-6 px-4 sm:px-6">
          <Link
            href={home}
            className="flex min-w-0 items-center gap-2.5 rounded-md py-3 font-semibold tracking-tight"
          >
            <PortalLogo name={name} logo={logo} />
            <span className="min-w-0 truncate">{safeText(name)}</span>
          </Link>
          {nav}
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={
          "mx-auto grid w-full max-w-4xl min-w-0 grid-cols-1 content-start " +
          "gap-6 px-4 py-6 outline-none sm:gap-8 sm:px-6 sm:py-8"
        }
      >
        {children}
      </main>
      <footer className="mx-auto flex w-full max-w-4xl items-center justify-end px-4 pb-6 sm:px-6">
        <ThemeSwitch />
      </footer>
      <Toaster />
    </div>
  );
}
