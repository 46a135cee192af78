"use client";

import { LogOut } from "lucide-react";
import { useTransition } from "react";
import { signOutHere } from "./sign-out-here.ts";
import { IconButton } from "./ui/icon-button.tsx";

export function SignOutButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <IconButton label="Sign out" disabled={isPending} onClick={() => startTransition(signOutHere)}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  );
}
