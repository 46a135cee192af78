import Link from "next/link";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import { deliveryStatusWords } from "./describe-delivery.ts";
import { hookStatusWords } from "./hook-status.ts";
import { Badge } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { CopyButton } from "./ui/copy-button.tsx";
import { Notice } from "./ui/notice.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";

export type HookView = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly providerName: string;
  readonly catchUrl: string;
  /** It is set to verify and has nothing to verify with: everything is refused. */
  readonly isSecretMissing: boolean;
  readonly last: { readonly status: DeliveryStatus; readonly receivedAt: Date } | null;
};

type HookListProps = {
  readonly hooks: readonly HookView[];
  readonly nowMs: number;
};

export function HookList({ hooks, nowMs }: HookListProps) {
  return (
    <ul className="grid grid-cols-1 gap-3">
      {hooks.map((hook) => (
        <li key={hook.id}>
          <HookCard hook={hook} nowMs={nowMs} />
        </li>
      ))}
    </ul>
  );
}

function HookCard({ hook, nowMs }: { hook: HookView } & Omit<HookListProps, "hooks">) {
  const { words, tone } = hookStatusWords[hook.status];
  return (
    <Card className="grid grid-cols-1 gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-medium break-words">
          <Link href={`/hooks/${hook.id}`} className="rounded-sm underline-offset-4 hover:underline">
            {hook.name}
          </Link>
        </h2>
        <Badge tone={tone}>{words}</Badge>
        <span className="text-sm text-muted-foreground">{hook.providerName}</span>
        <span className="text-sm text-muted-foreground sm:ml-auto">
          <LastDelivery hook={hook} nowMs={nowMs} />
        </span>
      </div>
      {hook.isSecretMissing && (
        <Notice tone="caution">
          Nothing proves yet who sends.{" "}
          <Link href={`/hooks/${hook.id}`} className="font-medium underline underline-offset-4">
            Add the signing secret
          </Link>
        </Notice>
      )}
      <div className="flex items-center gap-2">
        <code
          className="min-w-0 flex-1 rounded-md break-all sm:truncate bg-muted px-3 py-2 font-mono text-xs"
          title={hook.catchUrl}
        >
          {hook.catchUrl}
        </code>
        <CopyButton text={hook.catchUrl} what={`catch URL of ${hook.name}`} />
      </div>
    </Card>
  );
}

function LastDelivery({ hook: { last }, nowMs }: { hook: HookView; nowMs: number }) {
  if (last === null) return "Waiting for the first delivery";
  return (
    <>
      Last delivery {deliveryStatusWords[last.status].words.toLowerCase()}{" "}
      <RelativeTime at={last.receivedAt} nowMs={nowMs} />
    </>
  );
}
