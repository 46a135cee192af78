import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { dismissAccountNoticeCommand, switchAccountCommand } from "#lib/web/account/commands.ts";
import { readShell } from "#lib/web/account/read-shell.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

/** Each page checks access where it reads its data. This only shows who is signed in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const shell = await readShell(await pageContext(), await requireSession());
  return (
    <AppShell
      {...shell}
      switchAccount={switchAccountCommand}
      dismissNotice={dismissAccountNoticeCommand}
    >
      {children}
    </AppShell>
  );
}
