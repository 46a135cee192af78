"use client";

import Link from "next/link";
import { useState, useTransition } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useCopy } from "#components/ui/use-copy.ts";
import type { HookState, HookStatus } from "#lib/schema/hook.ts";
import { changeHookStatus, type SetHookStatus } from "./change-hook-status.ts";
import type { DeleteHookCommands } from "./delete-hook.tsx";
import { type Ending, HookDialogs } from "./hook-dialogs.tsx";

export type HookCommands = DeleteHookCommands & { readonly setStatus: SetHookStatus };

type HookRowMenuProps = HookCommands & {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly catchUrl: string;
  };
};

/** The menu of a hook in a list. */
export function HookRowMenu({ hook, setStatus, deleteHook, readContents }: HookRowMenuProps) {
  const [asked, setAsked] = useState<Ending>();
  // Each row has its own dialogs, which are rarely opened, so they are rendered on first use.
  const [wasAsked, setWasAsked] = useState(false);
  const [, startTransition] = useTransition();
  const { copy } = useCopy();
  const isTaking = hook.status === "active" || hook.status === "pending";

  const change = (next: HookState) =>
    startTransition(async () => {
      const result = await changeHookStatus(hook, next, setStatus).catch(() => serverUnreachable);
      if (!result.ok) toast(result.message, { tone: "negative" });
    });
  function ask(ending: Ending) {
    setWasAsked(true);
    setAsked(ending);
  }

  async function copyUrl() {
    await copy(hook.catchUrl);
    toast(`Catch URL of “${safeText(hook.name)}” copied.`);
  }

  return (
    <>
      <Menu label={`More for ${safeText(hook.name)}`}>
        <MenuItem onSelect={copyUrl}>Copy catch URL</MenuItem>
        {isTaking && <MenuItem onSelect={() => change("paused")}>Pause</MenuItem>}
        {hook.status === "paused" && <MenuItem onSelect={() => change("active")}>Resume</MenuItem>}
        {hook.status === "disabled" && (
          <MenuItem onSelect={() => change("active")}>Enable</MenuItem>
        )}
        <MenuItem asChild>
          <Link href={`/hooks/${hook.id}/settings`}>Settings</Link>
        </MenuItem>
        <MenuSeparator />
        {hook.status !== "disabled" && (
          <MenuItem isDanger onSelect={() => ask("disable")}>
            Disable…
          </MenuItem>
        )}
        <MenuItem isDanger onSelect={() => ask("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {wasAsked && (
        <HookDialogs
          hook={hook}
          setStatus={setStatus}
          deleteHook={deleteHook}
          readContents={readContents}
          asked={asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
