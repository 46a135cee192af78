"use client";

import { LogOut } from "lucide-react";
import { signOut } from "next-auth/react";
import { useTransition } from "react";
import { IconButton } from "./ui/icon-button.tsx";

/** Ends this session on the server too, so that a copy of the cookie is worth nothing. */
export function SignOutButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <IconButton label="Sign out" disabled={isPending} onClick={() => startTransition(signOutHere)}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  );
}

export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
  // A full load: nothing that was made for this person stays in the router's memory.
  window.location.assign("/sign-in");
}
