"use client";

import { type ReactNode, useState } from "react";
import type { HookStatus } from "#lib/schema/hook.ts";
import type { SetHookStatus } from "./change-hook-status.ts";
import type { DeleteHookCommands } from "./delete-hook.tsx";
import { type Ending, EndingDialogs } from "./ending-dialogs.tsx";
import { Button } from "./ui/button.tsx";

type DangerZoneProps = DeleteHookCommands & {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  readonly setStatus: SetHookStatus;
};

export function DangerZone({ hook, setStatus, deleteHook, readContents }: DangerZoneProps) {
  const [asked, setAsked] = useState<Ending>();
  return (
    <>
      {hook.status !== "disabled" && (
        <Danger text="Disable it: whoever sends is refused with 410, and many senders then stop sending for good. To hold only the actions back, pause it.">
          <Button look="danger" onClick={() => setAsked("disable")}>
            Disable
          </Button>
        </Danger>
      )}
      <Danger text="Delete it, with all its deliveries, actions and runs.">
        <Button look="danger" onClick={() => setAsked("delete")}>
          Delete
        </Button>
      </Danger>
      <EndingDialogs
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
