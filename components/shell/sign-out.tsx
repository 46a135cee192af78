"use client";

import { LogOut } from "lucide-react";
import { useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { signOutHere } from "#components/ui/sign-out-here.ts";

/** Ends the session, from the bar of every page. */
export function SignOutButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <IconButton label="Sign out" disabled={isPending} onClick={() => startTransition(signOutHere)}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  );
}

/** The same with words, on a page without the bar. */
export function SignOutLink() {
  const [isPending, startTransition] = useTransition();
  return (
    <Button look="secondary" isBusy={isPending} onClick={() => startTransition(signOutHere)}>
      Sign out
    </Button>
  );
}
