"use client";

import { useDismissal } from "#components/permissions/dismissals.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";

type LocalUrlNoticeProps = {
  /** The local host name, which nothing outside can reach. Null: the URL is public. */
  readonly localHost: string | null;
  readonly providerName: string | null;
};

/** A warning beside a catch URL that the provider can't reach, until someone dismisses it. */
export function LocalUrlNotice({ localHost, providerName }: LocalUrlNoticeProps) {
  const { isDismissed, dismiss } = useDismissal("local_url");
  if (localHost === null || isDismissed) return null;
  return (
    <Notice tone="caution">
      <p>
        {providerName ?? "Another system"} can't reach this URL:{" "}
        <code className="font-mono">{localHost}</code> only exists on your own machine or network.
        Open a tunnel to this server, for example with{" "}
        <code className="font-mono">cloudflared</code> or <code className="font-mono">ngrok</code>,
        and restart Catchment with <code className="font-mono">CATCHMENT_PUBLIC_URL</code> set to
        the tunnel's address.
      </p>
      {dismiss !== null && (
        <Allowed to="hooks:write">
          <div className="mt-2">
            <CommandButton run={dismiss}>Don't show again</CommandButton>
          </div>
        </Allowed>
      )}
    </Notice>
  );
}
