import Link from "next/link";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import { hookStatusWords } from "./hook-status.ts";
import { Badge } from "./ui/badge.tsx";
import { classNames } from "./ui/class-names.ts";
import { CommandButton } from "./ui/command-button.tsx";
import { safeText } from "./ui/safe-text.ts";

export type SetHookStatus = (hookId: string, status: HookStatus) => Promise<CommandResult<null>>;

type HookHeaderProps = {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly providerName: string;
  };
  readonly current: "overview" | "settings";
  readonly setStatus: SetHookStatus;
};

/** Which hook, how it stands, and its two pages. */
export function HookHeader({ hook, current, setStatus }: HookHeaderProps) {
  const { words, tone } = hookStatusWords[hook.status];
  const isActive = hook.status === "active" || hook.status === "pending";
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(hook.name)}</h1>
          <div className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
            <Badge tone={tone}>{words}</Badge>
            {hook.providerName}
          </div>
        </div>
        <CommandButton
          look={isActive ? "secondary" : "primary"}
          run={setStatus.bind(null, hook.id, isActive ? "paused" : "active")}
        >
          {isActive ? "Pause" : hook.status === "paused" ? "Resume" : "Enable"}
        </CommandButton>
      </div>
      {hook.status === "paused" && (
        <p className="text-sm text-caution">
          Deliveries are still accepted and stored; their actions wait until you resume.
        </p>
      )}
      {hook.status === "disabled" && (
        <p className="text-sm text-negative">Whoever sends to its catch URL is refused with 410 Gone.</p>
      )}
      <nav aria-label="Hook" className="flex gap-1 border-b">
        <HookTab href={`/hooks/${hook.id}`} isCurrent={current === "overview"}>
          Overview
        </HookTab>
        <HookTab href={`/hooks/${hook.id}/settings`} isCurrent={current === "settings"}>
          Settings
        </HookTab>
      </nav>
    </div>
  );
}

function HookTab({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "-mb-px border-b-2 px-2.5 py-2.5 text-sm font-medium",
        isCurrent ? "border-primary" : "border-transparent text-muted-foreground hover:text-foreground",
      )}
    >
      {children}
    </Link>
  );
}
