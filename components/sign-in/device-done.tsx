"use client";

import { useEffect, useRef } from "react";
import { AuthPage } from "#components/account/auth-page.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type DeviceDoneProps = {
  readonly host: string | null;
  /** The account that it was allowed for. Null: it was denied. */
  readonly accountName: string | null;
};

/** Says what to do next. */
export function DeviceDone({ host, accountName }: DeviceDoneProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus(), []);
  const machine = host === null ? "The command line" : safeText(host);
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      {accountName === null ? (
        <AuthPage
          title="Denied"
          lead={`${machine} gets no access. Your terminal says so within some seconds.`}
        >
          <p className="text-sm text-muted-foreground">
            If you didn't start this yourself, there is nothing else to do: the code no longer
            works. The audit log says where it came from.
          </p>
          <Link href="/" className={buttonClasses("secondary", "w-full")}>
            Open Catchment
          </Link>
        </AuthPage>
      ) : (
        <AuthPage
          title="Go back to your terminal"
          lead={`${machine} is signed in to ${safeText(accountName)} within some seconds. You can close this page.`}
        >
          <Notice tone="positive">Allowed for 90 days.</Notice>
          <p className="text-sm text-muted-foreground">
            To end its access, sign out there, or revoke its token under Account → API tokens.
          </p>
          <Link href="/" className={buttonClasses("secondary", "w-full")}>
            Open Catchment
          </Link>
        </AuthPage>
      )}
    </div>
  );
}
