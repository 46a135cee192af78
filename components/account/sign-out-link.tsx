"use client";

import { useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { signOutHere } from "#components/ui/sign-out-here.ts";

export function SignOutLink() {
  const [isPending, startTransition] = useTransition();
  return (
    <Button look="secondary" isBusy={isPending} onClick={() => startTransition(signOutHere)}>
      Sign out
    </Button>
  );
}
