import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { requireSession } from "#lib/web/auth/session.ts";

/** Who may see what is decided where each page reads its data; this only draws who is signed in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { email, accountName } = await requireSession();
  return (
    <AppShell email={email} accountName={accountName}>
      {children}
    </AppShell>
  );
}
