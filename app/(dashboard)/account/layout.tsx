import type { ReactNode } from "react";
import { AccountNav } from "#components/palette/account-nav.tsx";

/** The frame of the settings. The pages are listed in `account-sections.ts`. */
export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[9.5rem_minmax(0,1fr)] lg:gap-10">
      <AccountNav />
      <div className="grid max-w-4xl min-w-0 grid-cols-1 content-start gap-8">{children}</div>
    </div>
  );
}
