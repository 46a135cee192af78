import type { ReactNode } from "react";
import { AppHeader } from "#components/app-header.tsx";
import { requireSession } from "#lib/web/session.ts";

/** Who may see what is decided where each page reads its data; this only draws who is signed in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  return (
    <>
      <AppHeader email={session.email} account={session.accountSlug} />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto grid max-w-6xl grid-cols-1 gap-8 px-4 py-8 outline-none sm:px-6"
      >
        {children}
      </main>
    </>
  );
}
