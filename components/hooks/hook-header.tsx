import type { ReactNode } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { pendingLimits } from "#lib/schema/receive/pending-limits.ts";
import type { Count } from "./change-hook-status.ts";
import { type HookCommands, HookMenu } from "./hook-menu.tsx";
import { hookStatusWords } from "./hook-status.ts";
import { HookStatusButton } from "./hook-status-button.tsx";

type HookHeaderProps = HookCommands & {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly provider: string;
    readonly providerName: string;
    /** The provider's API can be asked for its events. */
    readonly listsEvents: boolean;
    /** The provider's API can keep its webhook registered. */
    readonly canRegister: boolean;
    readonly openRuns: Count;
    /**
     * The end of the time in which it keeps deliveries without its secret. Null: it isn't waiting
     * for a secret.
     */
    readonly keepsUntil: Date | null;
  };
  readonly nowMs: number;
  readonly current: "overview" | "registration" | "backfill" | "settings";
  /** Shows whose configuration files manage it. */
  readonly managed: ReactNode;
  /** Something beside the title, such as its catch URL. */
  readonly children?: ReactNode;
};

/** The hook's title, state, and tabs. */
export function HookHeader({
  hook,
  nowMs,
  current,
  managed,
  children,
  ...commands
}: HookHeaderProps) {
  const { words, tone } = hookStatusWords[hook.status];
  const changed = { id: hook.id, name: hook.name, status: hook.status };
  const backfill = {
    href: `/hooks/${hook.id}/backfill`,
    name: "Back-fill",
    isCurrent: current === "backfill",
  };
  const registration = {
    href: `/hooks/${hook.id}/registration`,
    name: "Registration",
    isCurrent: current === "registration",
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-3 sm:gap-x-6">
        <div className="flex min-w-0 flex-1 basis-48 items-start gap-3">
          <ProviderMark id={hook.provider} name={hook.providerName} />
          <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
            <h1 className="text-2xl font-semibold tracking-tight break-words">
              {safeText(hook.name)}
            </h1>
            <div className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
              <Badge tone={tone}>{words}</Badge>
              {hook.providerName}
              {managed}
            </div>
          </div>
        </div>
        <Allowed to="hooks:write">
          <div data-commands="hook" className="flex items-center gap-1">
            <HookStatusButton hook={changed} setStatus={commands.setStatus} />
            <HookMenu hook={changed} {...commands} />
          </div>
        </Allowed>
      </div>
      {Boolean(children) && <div className="-mt-2.5 min-w-0 sm:pl-12">{children}</div>}
      <StatusNote hook={hook} nowMs={nowMs} />
      <TabLinks
        label="Hook"
        links={[
          { href: `/hooks/${hook.id}`, name: "Overview", isCurrent: current === "overview" },
          ...(hook.canRegister || current === "registration" ? [registration] : []),
          ...(hook.listsEvents || current === "backfill" ? [backfill] : []),
          {
            href: `/hooks/${hook.id}/settings`,
            name: "Settings",
            isCurrent: current === "settings",
          },
        ]}
      />
    </div>
  );
}

function StatusNote({ hook, nowMs }: Pick<HookHeaderProps, "hook" | "nowMs">): ReactNode {
  const { status, openRuns, keepsUntil } = hook;
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
      return <WaitingNote untilMs={keepsUntil?.getTime() ?? nowMs} nowMs={nowMs} />;
    case "disabled":
      return <p className="text-sm text-negative">Requests to its catch URL get 410 Gone.</p>;
    default:
      return status satisfies never;
  }
}

function WaitingNote({ untilMs, nowMs }: { untilMs: number; nowMs: number }) {
  const { days, deliveries } = pendingLimits;
  if (untilMs <= nowMs) {
    return (
      <p className="text-sm text-negative">
        This hook has been awaiting its signing secret for {days} days, so new deliveries get 401.
        Add the secret to verify and run the stored deliveries. The provider must resend the
        rejected ones.
      </p>
    );
  }
  return (
    <p className="text-sm text-caution">
      Deliveries aren't verified or run until you add the signing secret. The hook stores up to{" "}
      {deliveries.toLocaleString("en")} of them, until <UntilTime untilMs={untilMs} nowMs={nowMs} />
      . Then they are rejected.
    </p>
  );
}
