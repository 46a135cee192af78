"use client";

import { Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { ConnectFormProps } from "./connect-form.tsx";

const ConnectForm = lazyPart("ConnectForm", () => import("./connect-form.tsx"));

/** Registers the hook, or changes what is registered, after asking how. */
export function ConnectDialog(props: Omit<ConnectFormProps, "onClose">) {
  const { source, registration } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isNew = registration === null;
  const isBroken = registration?.status === "missing" || registration?.status === "failing";
  return (
    <>
      <Button
        look={isNew || isBroken ? "primary" : "secondary"}
        onClick={() => setOpen(true)}
        disabled={source.credentials.length === 0 || registration?.status === "removing"}
      >
        {isNew ? "Connect…" : isBroken ? "Connect again…" : "Change…"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={`${isNew ? "Register" : "Registration"} at ${source.name}`}
        isWide
      >
        <Suspense>
          <ConnectForm {...props} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
