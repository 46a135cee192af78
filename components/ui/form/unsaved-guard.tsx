"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** Asks before a link, reload, or closed tab discards unsaved changes. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [target, setTarget] = useState<string>();

  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const path = readOwnLink(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(path);
      dialog.current?.showModal();
    };
    window.addEventListener("beforeunload", onUnload);
    // Before React, which listens on the document.
    window.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("click", onClick, { capture: true });
    };
  }, [isDirty]);

  function leave() {
    dialog.current?.close();
    if (target !== undefined) router.push(target);
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
    >
      <div className="grid gap-4">
        <h2 id={titleId} className="text-lg font-semibold">
          Leave without saving?
        </h2>
        <p className="text-sm text-muted-foreground">Your changes to this action will be lost.</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={() => dialog.current?.close()}>
            Keep editing
          </Button>
          <Button look="danger" onClick={leave}>
            Leave
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/**
 * Where a plain click on an internal link leads; null: it opens elsewhere or stays on this page.
 */
function readOwnLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (
    link === null ||
    link.href === "" ||
    link.target === "_blank" ||
    link.hasAttribute("download")
  )
    return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || url.pathname === window.location.pathname)
    return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
