import Link from "next/link";
import type { HookStatus } from "#lib/schema/hook.ts";
import { hookStatusWords } from "./hook-status.ts";
import { Badge, type Tone } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { safeText } from "./ui/safe-text.ts";

type HookToSee = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly isSecretMissing: boolean;
  /** Runs that wait for it. */
  readonly held: number;
};

/** Hooks that don't do what hooks do: paused, disabled, waiting for a secret, or with runs that wait. */
export function HooksToSee({ hooks }: { hooks: readonly HookToSee[] }) {
  if (hooks.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="hooks-to-see">
      <h2 id="hooks-to-see" className="text-lg font-semibold tracking-tight">
        Hooks to look after
      </h2>
      <Card>
        <ul className="divide-y">
          {hooks.map((hook) => {
            const { words, tone } = badgeOf(hook);
            return (
              <li key={hook.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
                <Link
                  href={`/hooks/${hook.id}`}
                  prefetch={false}
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

function badgeOf({ status, isSecretMissing }: HookToSee): { readonly words: string; readonly tone: Tone } {
  // "Active" is not what one that refuses everything is.
  if (status === "active" && isSecretMissing) return { words: "No secret yet", tone: "negative" };
  return hookStatusWords[status];
}

function explain({ status, isSecretMissing, held }: HookToSee): string {
  const waiting = `${held.toLocaleString("en")} ${held === 1 ? "run waits" : "runs wait"}`;
  if (status === "disabled") return "It refuses every delivery.";
  if (status === "pending") return "Nothing can be verified or run until its signing secret is added.";
  if (isSecretMissing) return "It refuses every delivery until its signing secret is added.";
  if (status === "paused")
    return held > 0 ? `${waiting} until it is resumed.` : "Runs wait until it is resumed.";
  return `${waiting} for an action that is switched off.`;
}
