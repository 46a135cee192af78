"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "#components/ui/button/button.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/** Asks for confirmation before a link, reload, or closed tab discards unsaved changes. */
export function UnsavedGuard({ isDirty, what = "action" }: { isDirty: boolean; what?: string }) {
  const router = useRouter();
  const isInBrowser = useHydrated();
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
    };
    window.addEventListener("beforeunload", onUnload);
    // The listener must run before React, which listens on the document.
    window.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("click", onClick, { capture: true });
    };
  }, [isDirty]);

  function leave() {
    setTarget(undefined);
    if (target !== undefined) router.push(target);
  }

  if (!isInBrowser) return null;
  // In the body: the form may be in a tab that is hidden, which would hide the dialog too.
  return createPortal(
    <Dialog
      isOpen={target !== undefined}
      onClose={() => setTarget(undefined)}
      title="Leave without saving?"
    >
      <p className="text-sm text-muted-foreground">Your changes to this {what} will be lost.</p>
      <DialogButtons>
        <Button look="secondary" onClick={() => setTarget(undefined)}>
          Keep editing
        </Button>
        <Button look="danger" onClick={leave}>
          Leave
        </Button>
      </DialogButtons>
    </Dialog>,
    document.body,
  );
}

/**
 * The target of a plain click on an internal link. Null: it opens elsewhere or stays on this page.
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
