"use client";

import { signOut } from "next-auth/react";
import { useTransition } from "react";
import { Button } from "./ui/button.tsx";

/** Ends the session on the server too, so that a copy of the cookie is worth nothing. */
export function SignOutButton() {
  const [isPending, startTransition] = useTransition();
  return (
    <Button
      look="quiet"
      isBusy={isPending}
      title="Ends your sessions in every browser"
      onClick={() =>
        startTransition(async () => {
          await signOut({ redirect: false });
          window.location.assign("/sign-in");
        })
      }
    >
      Sign out
    </Button>
  );
}
