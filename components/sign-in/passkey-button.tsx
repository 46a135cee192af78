"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describePasskeyError } from "./describe-passkey-error.ts";
import type { RequestOptions } from "./passkey-types.ts";

type PasskeyButtonProps = {
  /** A path on this server. */
  readonly next: string;
  readonly start: () => Promise<CommandResult<RequestOptions>>;
  readonly finish: (response: object) => Promise<CommandResult<null>>;
};

/** Signs in without an email and a password. */
export function PasskeyButton({ next, start, finish }: PasskeyButtonProps) {
  const isReady = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string>();

  async function signIn() {
    setIsBusy(true);
    setMessage(undefined);
    const problem = await tryToSignIn(start, finish);
    if (problem === null) return window.location.assign(next);
    setIsBusy(false);
    setMessage(problem);
  }

  return (
    <div className="grid gap-3">
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <Button
        look="secondary"
        className="w-full"
        disabled={!isReady}
        isBusy={isBusy}
        onClick={signIn}
      >
        <KeyRound aria-hidden size={16} />
        Sign in with a passkey
      </Button>
    </div>
  );
}

/** The error. Null: there is none. */
async function tryToSignIn(
  start: PasskeyButtonProps["start"],
  finish: PasskeyButtonProps["finish"],
): Promise<string | null> {
  const started = await start().catch(() => serverUnreachable);
  if (!started.ok) return started.message;
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const response = await startAuthentication({ optionsJSON: started.value });
    const finished = await finish(response).catch(() => serverUnreachable);
    return finished.ok ? null : finished.message;
  } catch (error) {
    return describePasskeyError(error);
  }
}
