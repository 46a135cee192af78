"use client";

import { LogOut } from "lucide-react";
import { useTransition } from "react";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { signOutHere } from "#components/ui/sign-out-here.ts";

export function SignOutButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <IconButton label="Sign out" disabled={isPending} onClick={() => startTransition(signOutHere)}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  );
}
