"use client";

import { useRef, useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";

type RevokeTokenButtonProps = {
  readonly tokenId: string;
  readonly name: string;
  readonly revokeToken: (tokenId: string) => Promise<CommandResult<null>>;
};

/** Asks first: whatever uses the token stops working at once, and there is no way back. */
export function RevokeTokenButton({ tokenId, name, revokeToken }: RevokeTokenButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState<string>();
  const [isPending, startTransition] = useTransition();

  function revoke() {
    startTransition(async () => {
      const result = await revokeToken(tokenId).catch(() => null);
      if (result?.ok === true) return dialog.current?.close();
      setMessage(result?.message ?? "The server can't be reached. Try again in a moment.");
    });
  }

  return (
    <>
      <Button look="danger" aria-label={`Revoke ${name}`} onClick={() => dialog.current?.showModal()}>
        Revoke
      </Button>
      <dialog
        ref={dialog}
        aria-label={`Revoke ${name}?`}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
      >
        <div className="grid gap-4">
          <h2 className="text-lg font-semibold break-words">Revoke “{name}”?</h2>
          <p className="text-sm text-muted-foreground">
            Whatever uses this token is refused from now on. A revoked token can't be made to work again.
          </p>
          {message !== undefined && <Notice tone="negative">{message}</Notice>}
          <div className="flex justify-end gap-2">
            <Button look="secondary" onClick={() => dialog.current?.close()}>
              Keep it
            </Button>
            <Button look="danger" isBusy={isPending} onClick={revoke}>
              Revoke token
            </Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
