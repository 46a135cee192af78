"use client";

import { useState, useTransition } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type Account = { readonly id: string; readonly name: string };

type AccountSwitchProps = {
  /** The account that the pages show. */
  readonly account: Account;
  /** All accounts of the user. */
  readonly accounts: readonly Account[];
  readonly switchAccount: (id: string) => Promise<CommandResult<null>>;
};

/** The name of the account. With several, a choice: this session remembers it. */
export function AccountSwitch({ account, accounts, switchAccount }: AccountSwitchProps) {
  const [chosen, setChosen] = useState(account.id);
  const [isPending, startTransition] = useTransition();
  if (accounts.length < 2)
    return <span className="truncate font-medium">{safeText(account.name)}</span>;

  function choose(id: string) {
    setChosen(id);
    startTransition(async () => {
      const result = await switchAccount(id).catch(() => null);
      // A full page load, so that nothing of another account stays in the router's cache.
      if (result?.ok === true) window.location.assign("/");
      else startTransition(() => setChosen(account.id));
    });
  }

  return (
    <select
      aria-label="Switch account"
      value={chosen}
      disabled={isPending}
      onChange={(event) => choose(event.target.value)}
      className="-mx-1 h-7 min-w-0 cursor-pointer truncate rounded-md bg-card px-0 text-xs font-medium hover:bg-muted"
    >
      {accounts.map(({ id, name }) => (
        <option key={id} value={id}>
          {safeText(name)}
        </option>
      ))}
    </select>
  );
}
