"use client";

import { hookStatusWords } from "#components/hooks/hook-status.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";

type HookToSee = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly isSecretMissing: boolean;
  /** The number of runs that wait for it. */
  readonly held: number;
};

/** Hooks that aren't fully working: paused, disabled, awaiting a secret, or with waiting runs. */
export function HooksNeedingAttention({ hooks }: { hooks: readonly HookToSee[] }) {
  if (hooks.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="hooks-to-see">
      <h2 id="hooks-to-see" className="text-lg font-semibold tracking-tight">
        Hooks that need attention
      </h2>
      <Card>
        <ul className="divide-y">
          {hooks.map((hook) => {
            const { words, tone } = badgeOf(hook);
            return (
              <li
                key={hook.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm"
              >
                <Link
                  href={`/hooks/${hook.id}`}
                  className="min-w-0 rounded-sm font-medium break-words underline-offset-4 hover:underline"
                >
                  {safeText(hook.name)}
                </Link>
                <Badge tone={tone}>{words}</Badge>
                <span className="text-muted-foreground">{explain(hook)}</span>
              </li>
            );
          })}
        </ul>
      </Card>
    </section>
  );
}

function badgeOf({ status, isSecretMissing }: HookToSee): {
  readonly words: string;
  readonly tone: Tone;
} {
  // A hook that rejects everything must not be shown as active.
  if (status === "active" && isSecretMissing) return { words: "No secret yet", tone: "negative" };
  return hookStatusWords[status];
}

function explain({ status, isSecretMissing, held }: HookToSee): string {
  const waiting = `${held.toLocaleString("en")} ${held === 1 ? "run waits" : "runs wait"}`;
  if (status === "disabled") return "All deliveries are rejected.";
  if (status === "pending")
    return "Deliveries can't be verified or run until you add the signing secret.";
  if (isSecretMissing) return "All deliveries are rejected until you add the signing secret.";
  if (status === "paused")
    return held > 0 ? `${waiting} until it is resumed.` : "Runs wait until it is resumed.";
  return `${waiting} for a disabled action.`;
}
