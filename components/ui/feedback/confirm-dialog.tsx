"use client";

import { type ReactNode, useState, useTransition } from "react";
import { Button, type ButtonLook } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type Confirmation = {
  readonly title: string;
  /** A description of what is lost, or what happens next. */
  readonly children: ReactNode;
  readonly keepLabel: string;
  readonly confirmLabel: string;
  /** Default: danger, since most confirmations are destructive. */
  readonly confirmLook?: ButtonLook;
  /** Must be typed to confirm. */
  readonly typed?: string | undefined;
  /** The text to type. Default: the name. */
  readonly typedLabel?: string;
  readonly run: () => Promise<CommandResult<unknown>>;
};

type ConfirmDialogProps = Confirmation & { readonly isOpen: boolean; readonly onClose: () => void };

/** Asks for confirmation of a change that can't be undone. */
export function ConfirmDialog({ isOpen, onClose, title, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Question(props: Omit<ConfirmDialogProps, "isOpen" | "title">) {
  const { onClose, typed, typedLabel = "Name", run } = props;
  const [message, setMessage] = useState<string>();
  const [entered, setEntered] = useState("");
  const [isPending, startTransition] = useTransition();
  const isTyped = typed === undefined || entered.trim() === typed.trim();

  function confirm() {
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      startTransition(() => (result.ok ? onClose() : setMessage(result.message)));
    });
  }

  return (
    <>
      <div className="grid gap-2 text-sm text-muted-foreground">{props.children}</div>
      {typed !== undefined && (
        <TextField
          label={typedLabel}
          name="typed"
          autoComplete="off"
          spellCheck={false}
          value={entered}
          onChange={(event) => setEntered(event.target.value)}
          hint={`Type the ${typedLabel.toLowerCase()} exactly as shown above.`}
        />
      )}
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          {props.keepLabel}
        </Button>
        <Button
          look={props.confirmLook ?? "danger"}
          isBusy={isPending}
          disabled={!isTyped}
          onClick={confirm}
        >
          {props.confirmLabel}
        </Button>
      </DialogButtons>
    </>
  );
}
