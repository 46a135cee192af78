"use client";

import { useTransition } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Link } from "#components/ui/link.tsx";
import { MenuItem } from "#components/ui/overlay/menu.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useCopy } from "#components/ui/use-copy.ts";
import type { HookState, HookStatus } from "#lib/schema/receive/hook.ts";
import { changeHookStatus } from "./change-hook-status.ts";
import { type HookCommands, HookMenu } from "./hook-menu.tsx";

type HookRowMenuProps = HookCommands & {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly catchUrl: string;
  };
};

/** The menu of a hook in a list. */
export function HookRowMenu({ hook, ...commands }: HookRowMenuProps) {
  const [, startTransition] = useTransition();
  const { copy } = useCopy();
  const isAllowed = useAllowed("hooks:write");
  const isTaking = hook.status === "active" || hook.status === "pending";

  const change = (next: HookState) =>
    startTransition(async () => {
      const changed = changeHookStatus(hook, next, commands.setStatus);
      const result = await changed.catch(() => serverUnreachable);
      if (!result.ok) toast(result.message, { tone: "negative" });
    });

  async function copyUrl() {
    await copy(hook.catchUrl);
    toast(`Catch URL of “${safeText(hook.name)}” copied.`);
  }

  return (
    <HookMenu hook={hook} {...commands}>
      <MenuItem onSelect={copyUrl}>Copy catch URL</MenuItem>
      {isAllowed && isTaking && <MenuItem onSelect={() => change("paused")}>Pause</MenuItem>}
      {isAllowed && hook.status === "paused" && (
        <MenuItem onSelect={() => change("active")}>Resume</MenuItem>
      )}
      {isAllowed && hook.status === "disabled" && (
        <MenuItem onSelect={() => change("active")}>Enable</MenuItem>
      )}
      <MenuItem asChild>
        <Link href={`/hooks/${hook.id}/settings`}>Settings</Link>
      </MenuItem>
    </HookMenu>
  );
}
