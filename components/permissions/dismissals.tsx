"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { AccountNotice } from "#lib/schema/account/notices.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type Dismissals = {
  readonly dismissed: readonly string[];
  readonly dismiss: (notice: AccountNotice) => Promise<CommandResult<null>>;
};

const DismissalContext = createContext<Dismissals | null>(null);

/** Tells every part of a page which notices the account has dismissed. */
export function DismissalProvider({ children, ...value }: Dismissals & { children: ReactNode }) {
  return <DismissalContext value={value}>{children}</DismissalContext>;
}

/** Whether the account has dismissed a notice, and the command for it. */
export function useDismissal(notice: AccountNotice) {
  const value = useContext(DismissalContext);
  return {
    isDismissed: value?.dismissed.includes(notice) === true,
    dismiss: value === null ? null : () => value.dismiss(notice),
  };
}
