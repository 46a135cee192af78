import Link from "next/link";
import type { ReactNode } from "react";
import type { HookStatus } from "#lib/schema/hook.ts";
import type { Count, SetHookStatus } from "./change-hook-status.ts";
import { describeCount } from "./describe-count.ts";
import { hookStatusWords } from "./hook-status.ts";
import { HookStatusButton } from "./hook-status-button.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { Badge } from "./ui/badge.tsx";
import { classNames } from "./ui/class-names.ts";
import { safeText } from "./ui/safe-text.ts";

type HookHeaderProps = {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly provider: string;
    readonly providerName: string;
    readonly openRuns: Count;
  };
  readonly current: "overview" | "settings";
  readonly setStatus: SetHookStatus;
};

/** Which hook, how it stands, and its two pages. */
export function HookHeader({ hook, current, setStatus }: HookHeaderProps) {
  const { words, tone } = hookStatusWords[hook.status];
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
          <ProviderMark id={hook.provider} name={hook.providerName} />
          <div className="grid min-w-0 gap-1.5">
            <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(hook.name)}</h1>
            <div className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
              <Badge tone={tone}>{words}</Badge>
              {hook.providerName}
            </div>
          </div>
        </div>
        <HookStatusButton
          hook={{ id: hook.id, name: hook.name, status: hook.status }}
          setStatus={setStatus}
        />
      </div>
      <StatusNote status={hook.status} openRuns={hook.openRuns} />
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

function StatusNote({ status, openRuns }: { status: HookStatus; openRuns: Count }): ReactNode {
  switch (status) {
    case "active":
      return null;
    case "paused":
      return (
        <p className="text-sm text-caution">
          Deliveries are still accepted and stored; their actions wait until you resume.{" "}
          {openRuns.count > 0 &&
            `${describeCount(openRuns, "call")} ${openRuns.count === 1 ? "waits" : "wait"} now.`}
        </p>
      );
    case "pending":
      return (
        <p className="text-sm text-caution">
          Deliveries are kept unverified and run nothing until the signing secret is here.
        </p>
      );
    case "disabled":
      return (
        <p className="text-sm text-negative">Whoever sends to its catch URL is refused with 410 Gone.</p>
      );
    default:
      return status satisfies never;
  }
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
