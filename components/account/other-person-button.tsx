"use client";

import { signOut } from "next-auth/react";
import { useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";

type OtherPersonButtonProps = {
  /** The signed-in user. */
  readonly email: string;
  readonly invited: string;
};

/** Signs out, so that the person who was invited can continue. */
export function OtherPersonButton({ email, invited }: OtherPersonButtonProps) {
  const [isPending, startTransition] = useTransition();
  return (
    <div className="grid gap-4 text-sm">
      <p>
        This invitation is for <span className="font-medium wrap-anywhere">{invited}</span>, and you
        are signed in as <span className="font-medium wrap-anywhere">{email}</span>.
      </p>
      <Button
        isBusy={isPending}
        onClick={() =>
          startTransition(async () => {
            await signOut({ redirect: false });
            window.location.reload();
          })
        }
      >
        Sign out and continue
      </Button>
    </div>
  );
}
