"use client";

import { useEffect, useState } from "react";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CallTrial } from "#lib/schema/shown-call.ts";
import type { TrialCommands } from "./trial-commands.ts";
import { TrialForm } from "./trial-form.tsx";

type TrialPanelProps = {
  readonly trial: CallTrial;
  readonly page: string;
  readonly commands: TrialCommands;
};

type Trier =
  | { readonly account: string; readonly createsTokens: boolean }
  | "unknown"
  | "signed out"
  | "unreachable";

/** Makes a call as the person who is signed in. The page itself is the same for everyone. */
export function TrialPanel({ trial, page, commands }: TrialPanelProps) {
  const [trier, setTrier] = useState<Trier>("unknown");
  const { readTrier } = commands;

  useEffect(() => {
    let isCurrent = true;
    void readTrier({})
      .then((result) => (result.ok ? result.value : ("signed out" as const)))
      .catch(() => "unreachable" as const)
      .then((next) => {
        if (isCurrent) setTrier(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [readTrier]);

  if (trier === "unknown") return <p className="text-sm text-muted-foreground">Loading…</p>;
  if (trier === "unreachable")
    return <Notice tone="negative">The server can't be reached. Close this and try again.</Notice>;
  if (trier === "signed out") {
    const next = `${page}#${trial.id}`;
    return (
      <div className="grid gap-3 rounded-md border bg-card p-4 text-sm">
        <p>Sign in to make this call with a token of yours.</p>
        <div>
          {/* Not a link of Next: its script would read the page of who is signed out. */}
          <a
            href={`/sign-in?${new URLSearchParams({ next })}`}
            className={buttonClasses("primary")}
          >
            Sign in
          </a>
        </div>
      </div>
    );
  }
  return <TrialForm trial={trial} trier={trier} createToken={commands.createToken} />;
}
