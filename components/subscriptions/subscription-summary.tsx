import type { ReactNode } from "react";
import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { EventTypeList } from "./event-type-list.tsx";

type SubscriptionSummaryProps = {
  readonly subscription: {
    readonly id: string;
    readonly receiverUrl: string;
    readonly eventTypes: readonly string[];
    readonly filter: unknown;
    readonly ordered: boolean;
    readonly rateLimit: { readonly count: number; readonly perSeconds: number } | null;
    readonly maxConcurrency: number | null;
    readonly secrets: readonly { readonly kind: "hmac" | "ed25519"; readonly hint: string }[];
  };
  /** A test event, and jobs to start. */
  readonly children: ReactNode;
};

/** The URL, event types, and secret of a subscription. */
export function SubscriptionSummary({ subscription, children }: SubscriptionSummaryProps) {
  const { id, receiverUrl, eventTypes, secrets } = subscription;
  const secret = secrets.find(({ kind }) => kind === "hmac");
  const limits = describeLimits(subscription);
  return (
    <Card className="grid grid-cols-1 gap-5 p-5">
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Receiver URL</p>
        <div data-commands="subscription">
          <CopyLine text={receiverUrl} what="receiver URL" />
        </div>
      </div>
      <dl className="grid gap-5 sm:grid-cols-3">
        <Fact name="Event types">
          <EventTypeList types={eventTypes} />
        </Fact>
        <Fact name="Signing secret">
          {secret !== undefined && (
            <code className="font-mono text-xs">whsec_…{safeText(secret.hint)}</code>
          )}{" "}
          <NextLink href={`/subscriptions/${id}/settings#signing-secret`}>Rotate</NextLink>
        </Fact>
        <Fact name="Filter and limits">{limits === "" ? "None" : limits}</Fact>
      </dl>
      {children}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <dt className="text-sm font-medium">{name}</dt>
      <dd className="text-sm text-muted-foreground">{children}</dd>
    </div>
  );
}

function describeLimits({
  filter,
  ordered,
  rateLimit,
  maxConcurrency,
}: SubscriptionSummaryProps["subscription"]): string {
  const parts = [
    filter === null ? "" : "filtered",
    ordered ? "in order" : "",
    rateLimit === null ? "" : describeRate(rateLimit),
    maxConcurrency === null || ordered ? "" : `${maxConcurrency} at a time`,
  ];
  const words = parts.filter((part) => part !== "").join(", ");
  return capitalize(words);
}
