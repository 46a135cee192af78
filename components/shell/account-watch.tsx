"use client";

import { useEffect, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type Shown = {
  readonly account: { readonly id: string; readonly name: string };
  /** When the server read which account the session shows, as Unix time. */
  readonly readAtMs: number;
};

/**
 * A session shows one account in all of its tabs, and every change is made there. A tab that still
 * shows another one, because the account was switched elsewhere, has to be loaded again.
 */
export function AccountWatch({ account: { id, name }, readAtMs }: Shown) {
  const [current, setCurrent] = useState<string | null>(null);

  useEffect(() => {
    const channel = new BroadcastChannel("account");
    const own: Shown = { account: { id, name }, readAtMs };
    channel.onmessage = ({ data: other }: MessageEvent<Shown>) => {
      if (other.readAtMs < readAtMs) {
        if (other.account.id !== id) channel.postMessage(own);
      } else setCurrent(other.account.id === id ? null : other.account.name);
    };
    channel.postMessage(own);
    return () => channel.close();
  }, [id, name, readAtMs]);

  const reload = () => window.location.assign("/");
  return (
    <Dialog isOpen={current !== null} onClose={reload} title="You switched accounts">
      <p className="text-sm text-muted-foreground">
        You switched to {safeText(current ?? "")} in another tab. This tab still shows{" "}
        {safeText(name)}. To change something in {safeText(name)}, switch back first.
      </p>
      <DialogButtons>
        <Button onClick={reload}>Go to {safeText(current ?? "")}</Button>
      </DialogButtons>
    </Dialog>
  );
}
