import type { ReactNode } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";
import { RecipientLink } from "./recipient-link.tsx";
import { StatusButton } from "./status-button.tsx";
import { describeStatus } from "./subscription-status.ts";
import { titleOf } from "./subscription-title.ts";

type SubscriptionCommandOf = (id: string) => Promise<CommandResult<null>>;

type SubscriptionHeaderProps = {
  readonly subscription: {
    readonly id: string;
    readonly receiverUrl: string;
    readonly description: string | null;
    readonly recipient: string | null;
    readonly status: SubscriptionStatus;
    readonly failingSince: Date | null;
  };
  readonly current: "overview" | "settings";
  /** Shows whose configuration files manage it. */
  readonly managed: ReactNode;
  readonly enable: SubscriptionCommandOf;
  readonly disable: SubscriptionCommandOf;
};

/** The subscription's title, state, and tabs. */
export function SubscriptionHeader(props: SubscriptionHeaderProps) {
  const { subscription, current, managed } = props;
  const { id, receiverUrl, recipient } = subscription;
  const { words, tone } = describeStatus(subscription);
  const path = `/subscriptions/${id}`;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            {safeText(titleOf(subscription))}
          </h1>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
            <Badge tone={tone}>{words}</Badge>
            <code className="min-w-0 font-mono text-xs wrap-anywhere">{safeText(receiverUrl)}</code>
            {recipient !== null && <RecipientLink id={recipient} />}
            {managed}
          </div>
        </div>
        <div data-commands="subscription">
          <Allowed to="subscriptions:write">
            <StatusButton
              subscription={subscription}
              enable={props.enable}
              disable={props.disable}
            />
          </Allowed>
        </div>
      </div>
      <TabLinks
        label="Subscription"
        links={[
          { href: path, name: "Overview", isCurrent: current === "overview" },
          { href: `${path}/settings`, name: "Settings", isCurrent: current === "settings" },
        ]}
      />
    </div>
  );
}
