import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { dismissAccountNoticeCommand, switchAccountCommand } from "#lib/web/account/commands.ts";
import { readShell } from "#lib/web/account/read-shell.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";

/** Signed-in users keep the navigation. Others don't have to sign in to learn that a page is missing. */
export default async function MissingLayout({ children }: { children: ReactNode }) {
  const session = await readSession();
  if (session === null) return <main>{children}</main>;
  const shell = await readShell(await pageContext(), session);
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
