"use client";

import { type ReactNode, useState } from "react";
import type { SetHookStatus } from "#components/hooks/change-hook-status.ts";
import type { DeleteHookCommands } from "#components/hooks/delete-hook.tsx";
import { type Ending, HookDialogs } from "#components/hooks/hook-dialogs.tsx";
import { Button } from "#components/ui/button/button.tsx";
import type { HookStatus } from "#lib/schema/hook.ts";

type DangerZoneProps = DeleteHookCommands & {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  readonly setStatus: SetHookStatus;
};

export function DangerZone({ hook, setStatus, deleteHook, readContents }: DangerZoneProps) {
  const [asked, setAsked] = useState<Ending>();
  return (
    <>
      {hook.status !== "disabled" && (
        <Danger
          text={
            "Disable this hook. Requests get 410, and many providers then stop " +
            "sending permanently. To hold only its actions, pause it instead."
          }
        >
          <Button look="danger" onClick={() => setAsked("disable")}>
            Disable
          </Button>
        </Danger>
      )}
      <Danger text="Delete this hook with all its deliveries, actions, and runs.">
        <Button look="danger" onClick={() => setAsked("delete")}>
          Delete
        </Button>
      </Danger>
      <HookDialogs
        hook={hook}
        setStatus={setStatus}
        deleteHook={deleteHook}
        readContents={readContents}
        asked={asked}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function Danger({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-1 basis-64 text-sm text-muted-foreground">{text}</p>
      {children}
    </div>
  );
}
