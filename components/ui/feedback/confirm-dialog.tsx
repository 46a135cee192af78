"use client";

import { type ReactNode, useEffect, useId, useRef, useState, useTransition } from "react";
import { Button, type ButtonLook } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";

export type Confirmation = {
  readonly title: string;
  /** What is lost, or what happens next. */
  readonly children: ReactNode;
  readonly keepLabel: string;
  readonly confirmLabel: string;
  /** Default: danger, since most confirmations are destructive. */
  readonly confirmLook?: ButtonLook;
  /** Must be typed to confirm. */
  readonly typed?: string | undefined;
  readonly run: () => Promise<CommandResult<unknown>>;
};

type ConfirmDialogProps = Confirmation & { readonly isOpen: boolean; readonly onClose: () => void };

/** Asks before something that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    onClose,
    title,
    children,
    keepLabel,
    confirmLabel,
    confirmLook = "danger",
    typed,
    run,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [message, setMessage] = useState<string>();
  const [entered, setEntered] = useState("");
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    if (!isOpen) return dialog.current?.close();
    setMessage(undefined);
    setEntered("");
    dialog.current?.showModal();
  }, [isOpen]);

  function confirm() {
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      if (result.ok) onClose();
      else setMessage(result.message);
    });
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
    >
      {isOpen && (
        <div className="grid gap-4 text-left">
          <h2 id={titleId} className="text-lg font-semibold break-words">
            {title}
          </h2>
          <div className="grid gap-2 text-sm text-muted-foreground">{children}</div>
          {typed !== undefined && (
            <TextField
              label="Name"
              name="typed"
              autoComplete="off"
              spellCheck={false}
              value={entered}
              onChange={(event) => setEntered(event.target.value)}
              hint="Type the name exactly as shown above."
            />
          )}
          {message !== undefined && <Notice tone="negative">{message}</Notice>}
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="secondary" onClick={onClose}>
              {keepLabel}
            </Button>
            <Button
              look={confirmLook}
              isBusy={isPending}
              disabled={typed !== undefined && entered.trim() !== typed.trim()}
              onClick={confirm}
            >
              {confirmLabel}
            </Button>
          </div>
        </div>
      )}
    </dialog>
  );
}
