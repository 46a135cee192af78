import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { requireSession } from "#lib/web/auth/session.ts";

/** Each page checks access where it reads its data. This only shows who is signed in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { email, accountName, timeZone, role } = await requireSession();
  return (
    <AppShell email={email} accountName={accountName} timeZone={timeZone} role={role}>
      {children}
    </AppShell>
  );
}
