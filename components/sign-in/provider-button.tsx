"use client";

import { LogIn } from "lucide-react";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

type ProviderButtonProps = {
  readonly name: string;
  /** A path on this server. */
  readonly next: string;
  readonly isOnly: boolean;
};

/** Leads to the identity provider and back. */
export function ProviderButton({ name, next, isOnly }: ProviderButtonProps) {
  const isReady = useHydrated();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  async function start() {
    setState("busy");
    // Loads the identity provider's page. It returns only if that couldn't be found.
    await signIn("oidc", { callbackUrl: next }).catch(() => setState("failed"));
  }

  return (
    <div className="grid gap-3">
      {state === "failed" && (
        <Notice tone="negative">The server couldn't be reached. Try again in a moment.</Notice>
      )}
      <Button
        look={isOnly ? "primary" : "secondary"}
        className="w-full"
        disabled={!isReady}
        isBusy={state === "busy"}
        onClick={start}
      >
        <LogIn aria-hidden size={16} />
        Continue with {name}
      </Button>
    </div>
  );
}
