"use client";

import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { Tone } from "#components/ui/status/badge.tsx";
import { dismissToast, readToasts, type Toast, type Toasts, toast, watchToasts } from "./toast.ts";

/** Shows and announces what `toast` and `announce` send. Once per page frame. */
export function Toaster() {
  const { toasts, announcement } = useSyncExternalStore(watchToasts, readToasts, readNone);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <section
        aria-label="Notifications"
        aria-live="polite"
        className={
          "pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar,0rem))] z-50 grid " +
          "justify-items-end gap-2 sm:left-auto sm:w-96"
        }
      >
        {toasts.map((one) => (
          <ToastCard key={one.id} toast={one} />
        ))}
      </section>
    </>
  );
}

const nothing: Toasts = { toasts: [], announcement: "" };
const readNone = () => nothing;

const shownMs = 5_000;
const undoMs = 10_000;

function ToastCard({ toast: { id, message, tone, undo } }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    // The toast stays while it is hovered, focused, or busy.
    if (isHeld || isPending) return;
    const timer = setTimeout(() => dismissToast(id), undo === undefined ? shownMs : undoMs);
    return () => clearTimeout(timer);
  }, [id, undo, isHeld, isPending]);

  function takeBack(run: NonNullable<Toast["undo"]>) {
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      dismissToast(id);
      toast(result.ok ? "Undone." : result.message, { tone: result.ok ? "neutral" : "negative" });
    });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps it open
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={
        "pointer-events-auto flex w-full items-center gap-2 rounded-lg " +
        "border bg-card py-1.5 pr-1.5 pl-4 text-sm shadow-lg"
      }
    >
      <p className={classNames("min-w-0 flex-1 py-1.5 break-words", words[tone])}>{message}</p>
      {undo !== undefined && (
        <Button look="secondary" isBusy={isPending} onClick={() => takeBack(undo)}>
          Undo
        </Button>
      )}
      <IconButton label="Dismiss" onClick={() => dismissToast(id)}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}

const words: Record<Tone, string> = {
  neutral: "",
  positive: "text-positive",
  caution: "text-caution",
  negative: "text-negative",
};
