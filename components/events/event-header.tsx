import { Allowed } from "#components/permissions/role.tsx";
import { RecipientLink } from "#components/subscriptions/recipient-link.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { describeSize } from "#lib/base/describe-size.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ResendButton } from "./resend-button.tsx";

type EventHeaderProps = {
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly recipient: string | null;
    readonly createdAt: Date;
    readonly deliveryId: string | null;
    readonly warning: string | null;
    readonly bodySize: number;
  };
  readonly failed: number;
  readonly nowMs: number;
  readonly resend: (onlyFailed: boolean) => Promise<CommandResult<number>>;
};

/** The event's title and actions. */
export function EventHeader({ event, failed, nowMs, resend }: EventHeaderProps) {
  const { id, type, recipient, createdAt, deliveryId, warning, bodySize } = event;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 flex-1 basis-80 grid-cols-1 gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(type)}</h1>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
            {recipient === null ? "No recipient" : <RecipientLink id={recipient} />}
            <RelativeTime at={createdAt} nowMs={nowMs} />
            <span>{describeSize(bodySize)}</span>
            <code className="min-w-0 font-mono text-xs wrap-anywhere">{safeText(id)}</code>
            {deliveryId !== null && (
              <Link
                href={`/deliveries/${deliveryId}`}
                className="rounded-sm underline underline-offset-4"
              >
                Published by a hook
              </Link>
            )}
          </div>
        </div>
        <div data-commands="event" className="flex flex-wrap gap-2">
          <CopyButton text={id} what="id" label="Copy id" />
          <Allowed to="sends:repeat">
            <ResendButton failed={failed} resend={resend} />
          </Allowed>
        </div>
      </div>
      {warning !== null && (
        <Notice tone="caution">
          The data doesn't match the schema of {safeText(type)}: {safeText(warning)}
        </Notice>
      )}
    </div>
  );
}
