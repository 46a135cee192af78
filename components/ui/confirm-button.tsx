"use client";

import { type ReactNode, useId, useRef, useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button, type ButtonLook } from "./button.tsx";
import { TextField } from "./field.tsx";
import { notReached } from "./not-reached.ts";
import { Notice } from "./notice.tsx";

type ConfirmButtonProps = {
  readonly label: string;
  /** Where several stand on one page: what exactly this one is for. */
  readonly ariaLabel?: string;
  readonly look?: ButtonLook;
  readonly title: string;
  /** What is lost, or what happens next. */
  readonly children: ReactNode;
  readonly keepLabel: string;
  readonly confirmLabel: string;
  /** Has to be typed before it can be done. */
  readonly typed?: string;
  readonly run: () => Promise<CommandResult<unknown>>;
};

/** Asks before it does what can't be undone. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, ariaLabel, look = "danger", title, children, keepLabel, confirmLabel, typed, run } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [message, setMessage] = useState<string>();
  const [entered, setEntered] = useState("");
  const [isPending, startTransition] = useTransition();

  function open() {
    setMessage(undefined);
    setEntered("");
    dialog.current?.showModal();
  }

  function confirm() {
    startTransition(async () => {
      const result = await run().catch(() => notReached);
      if (result.ok) dialog.current?.close();
      else setMessage(result.message);
    });
  }

  return (
    <>
      <Button look={look} aria-label={ariaLabel} onClick={open}>
        {label}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
      >
        <div className="grid gap-4">
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
              hint="Type it exactly as it stands above."
            />
          )}
          {message !== undefined && <Notice tone="negative">{message}</Notice>}
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="secondary" onClick={() => dialog.current?.close()}>
              {keepLabel}
            </Button>
            <Button
              look="danger"
              isBusy={isPending}
              disabled={typed !== undefined && entered.trim() !== typed.trim()}
              onClick={confirm}
            >
              {confirmLabel}
            </Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
