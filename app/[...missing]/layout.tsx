import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { readSession } from "#lib/web/auth/session.ts";

/** Signed-in users keep the navigation. Others don't have to sign in to learn that a page is missing. */
export default async function MissingLayout({ children }: { children: ReactNode }) {
  const session = await readSession();
  if (session === null) return <main>{children}</main>;
  return (
    <AppShell
      email={session.email}
      accountName={session.accountName}
      timeZone={session.timeZone}
      role={session.role}
    >
      {children}
    </AppShell>
  );
}
