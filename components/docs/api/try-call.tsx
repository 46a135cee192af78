"use client";

import { Suspense, useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { CallTrial } from "#lib/schema/shown-call.ts";
import type { TrialCommands } from "./trial-commands.ts";

const TrialPanel = lazyPart("TrialPanel", () => import("./trial-panel.tsx"));

type TryCallProps = {
  readonly trial: CallTrial;
  /** The address of the page, to come back to after signing in. */
  readonly page: string;
  readonly commands: TrialCommands;
};

/** Opens the form that makes a call. It is loaded on first use. */
export function TryCall({ trial, page, commands }: TryCallProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div>
        <Button
          look="secondary"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Try it: ${trial.summary}`}
          onClick={() => setOpen(!isOpen)}
        >
          Try it
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<p className="text-sm text-muted-foreground">Loading…</p>}>
            <TrialPanel trial={trial} page={page} commands={commands} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
