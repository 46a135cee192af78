import type { ReactNode } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";

type Named = {
  readonly receiverUrl: string;
  readonly description: string | null;
  /** The customer. Null: of the account itself. */
  readonly recipient: string | null;
  readonly recipientName: string | null;
};

type SubscriptionNoticesProps = {
  readonly notices: readonly (Named & {
    readonly id: string;
    readonly kind: "subscription_failing" | "subscription_disabled";
    readonly subscriptionId: string;
    readonly detail: string;
    readonly createdAt: Date;
  })[];
  readonly nowMs: number;
  readonly dismiss: (noticeId: string) => Promise<CommandResult<null>>;
};

/** Subscriptions that were disabled, or will be. */
export function SubscriptionNotices({ notices, nowMs, dismiss }: SubscriptionNoticesProps) {
  if (notices.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="subscriptions-to-see">
      <h2 id="subscriptions-to-see" className="text-lg font-semibold tracking-tight">
        Subscriptions that need attention
      </h2>
      <Card>
        <ul className="divide-y">
          {notices.map((notice) => (
            <Row
              key={notice.id}
              id={notice.subscriptionId}
              named={notice}
              badge={
                notice.kind === "subscription_disabled" ? (
                  <Badge tone="negative">Disabled</Badge>
                ) : (
                  <Badge tone="caution">Will be disabled</Badge>
                )
              }
              detail={safeText(notice.detail)}
            >
              <RelativeTime at={notice.createdAt} nowMs={nowMs} />
              <Allowed to="subscriptions:write">
                <CommandButton
                  ariaLabel={`Dismiss: ${nameOf(notice)}`}
                  run={dismiss.bind(null, notice.id)}
                >
                  Dismiss
                </CommandButton>
              </Allowed>
            </Row>
          ))}
        </ul>
      </Card>
    </section>
  );
}

type RowProps = {
  readonly id: string;
  readonly named: Named;
  readonly badge: ReactNode;
  readonly detail: ReactNode;
  /** At the right. */
  readonly children?: ReactNode;
};

/** A line with the subscription, its customer, and its state, and one with its URL and the reason. */
function Row({ id, named, badge, detail, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-3 text-sm">
      <div className="grid min-w-0 flex-1 basis-72 grid-cols-1 gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Name id={id} named={named} />
          {badge}
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-muted-foreground">
          <code className="min-w-0 font-mono text-xs wrap-anywhere">
            {safeText(named.receiverUrl.slice(0, 200))}
          </code>
          <span className="min-w-0 break-words">{detail}</span>
        </span>
      </div>
      {children !== undefined && (
        <div className="flex grow items-center justify-between gap-4 text-muted-foreground sm:grow-0">
          {children}
        </div>
      )}
    </li>
  );
}

/** The subscription and its customer. */
function Name({ id, named }: { id: string; named: Named }) {
  const { recipient, recipientName } = named;
  return (
    <>
      <Link
        href={`/subscriptions/${id}`}
        className="min-w-0 rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
      >
        {nameOf(named)}
      </Link>
      {recipient !== null && (
        <Link
          href={`/recipients/${encodeURIComponent(recipient)}`}
          className="min-w-0 rounded-sm wrap-anywhere underline-offset-4 hover:underline"
        >
          {safeText(recipientName ?? recipient)}
        </Link>
      )}
    </>
  );
}

function nameOf({ receiverUrl }: Named): string {
  return safeText(nameReceiver(receiverUrl).slice(0, 200));
}
