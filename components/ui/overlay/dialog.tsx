"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { classNames } from "#components/ui/class-names.ts";

type DialogProps = {
  readonly isOpen: boolean;
  /** Called on closing, including with Escape. */
  readonly onClose: () => void;
  readonly title: string;
  readonly isWide?: boolean;
  /** The content is mounted while the dialog is open, so that its state is new each time. */
  readonly children: ReactNode;
};

/**
 * A modal dialog with a title. The native element keeps the focus inside, closes on Escape, and
 * restores the focus.
 */
export function Dialog({ isOpen, onClose, title, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (!isOpen) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className={classNames(
        "m-auto w-[calc(100%-2rem)] rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50",
        isWide ? "max-w-xl" : "max-w-md",
      )}
    >
      {isOpen && (
        <div className="grid gap-4 text-left">
          <h2 id={titleId} className="text-lg font-semibold break-words">
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>;
}

type FormButtonsProps = {
  readonly onCancel: () => void;
  readonly isBusy: boolean;
  /** The label of the button that submits the form. */
  readonly children: ReactNode;
};

/** The buttons of a form in a dialog. */
export function FormButtons({ onCancel, isBusy, children }: FormButtonsProps) {
  return (
    <DialogButtons>
      <Button look="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" isBusy={isBusy}>
        {children}
      </Button>
    </DialogButtons>
  );
}
