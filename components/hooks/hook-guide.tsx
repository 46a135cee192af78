import { CircleCheck, CircleX, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { describeReason, verificationWords } from "#components/status/describe-delivery.ts";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { NumberedStep, NumberedSteps } from "#components/ui/layout/numbered-steps.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { WaitingTitle } from "#components/ui/status/waiting-title.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import type { AddSecret, MissingProof } from "./add-secret-form.tsx";
import { LazyAddSecretForm } from "./lazy-add-secret-form.tsx";
import { LocalUrlNotice } from "./local-url-notice.tsx";
import { WhereToPaste } from "./where-to-paste.tsx";

type GuidedHook = {
  readonly id: string;
  readonly catchUrl: string;
  readonly localHost: string | null;
  readonly knownProviderName: string | null;
  readonly missing: MissingProof | null;
  readonly whereToPaste: string | null;
  readonly docsUrl: string | null;
  /** The verify token that the provider needs in addition to the URL. */
  readonly verifyToken: string | null;
  /** It isn't registered, and the provider's API can do it. */
  readonly canRegister: boolean;
};

type GuidedDelivery = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly receivedAt: Date;
  readonly eventType: string | null;
  readonly verificationOutcome: string;
  readonly isSample: boolean;
};

type HookGuideProps = {
  readonly hook: GuidedHook;
  /** The delivery to continue with. Null: nothing has arrived yet. */
  readonly delivery: GuidedDelivery | null;
  readonly nowMs: number;
  readonly addSecret: AddSecret;
  /** The ways to try the hook without the provider. */
  readonly tryIt: ReactNode;
  /** The way to receive its deliveries on the machine of a developer. */
  readonly onOwnMachine: ReactNode;
};

/** Guides a new hook from its URL to the first delivery and the first action. */
export function HookGuide(props: HookGuideProps) {
  const { hook, delivery, nowMs, addSecret, tryIt, onOwnMachine } = props;
  // A sample shows that the hook works, but the provider isn't connected yet.
  const isConnecting = delivery === null || delivery.status !== "accepted" || delivery.isSample;
  return (
    <Card className="grid grid-cols-1 gap-5 p-5">
      <div role="status">
        {delivery === null ? (
          <WaitingTitle>Waiting for the first delivery</WaitingTitle>
        ) : (
          <Arrived hookId={hook.id} delivery={delivery} nowMs={nowMs} />
        )}
      </div>
      {isConnecting && (
        <NumberedSteps>
          <NumberedStep number={1} title="Copy the catch URL">
            <CopyLine text={hook.catchUrl} what="catch URL" look="primary" />
            <LocalUrlNotice localHost={hook.localHost} providerName={hook.knownProviderName} />
          </NumberedStep>
          <NumberedStep
            number={2}
            title={
              hook.knownProviderName === null
                ? "Paste it where the other system asks for a webhook or callback URL"
                : `Paste it into ${hook.knownProviderName}`
            }
          >
            <WhereToPaste instructions={hook} />
            {hook.canRegister && (
              <Allowed to="hooks:write">
                <p className="text-sm text-muted-foreground">
                  Or{" "}
                  <Link
                    href={`/hooks/${hook.id}/registration`}
                    className="rounded-sm text-foreground underline underline-offset-4"
                  >
                    let Catchment register it
                  </Link>{" "}
                  with the API of {hook.knownProviderName}.
                </p>
              </Allowed>
            )}
          </NumberedStep>
          {hook.missing !== null && (
            <NumberedStep number={3} title={titleOfProof(hook)}>
              <Restricted to="hooks:write">
                <LazyAddSecretForm hookId={hook.id} missing={hook.missing} addSecret={addSecret} />
              </Restricted>
            </NumberedStep>
          )}
          <NumberedStep
            number={hook.missing === null ? 3 : 4}
            title="Let it send an event, or try it from here"
          >
            <Restricted to="hooks:write">{tryIt}</Restricted>
          </NumberedStep>
        </NumberedSteps>
      )}
      {isConnecting && onOwnMachine}
    </Card>
  );
}

function titleOfProof({ missing, knownProviderName }: GuidedHook): string {
  const what =
    missing?.asksSecret === true ? "the signing secret" : "the missing settings for verification";
  return `Paste ${what}${knownProviderName === null ? "" : ` that ${knownProviderName} shows`}`;
}

type ArrivedProps = {
  readonly hookId: string;
  readonly delivery: GuidedDelivery;
  readonly nowMs: number;
};

function Arrived({ hookId, delivery, nowMs }: ArrivedProps) {
  const { title, isGood } = describeArrival(delivery);
  const Icon = isGood ? CircleCheck : delivery.status === "rejected" ? CircleX : Clock;
  const verification = verificationWords(delivery.verificationOutcome);
  const path = `/deliveries/${delivery.id}`;
  return (
    <div className="grid gap-4">
      <div className="flex items-start gap-3">
        <Icon aria-hidden size={20} className={`mt-0.5 shrink-0 ${toneOf(delivery.status)}`} />
        <div className="grid min-w-0 gap-1.5">
          <h2 className="font-semibold">{title}</h2>
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
            <span className="font-medium wrap-anywhere text-foreground">
              {delivery.eventType === null ? "No event type" : safeText(delivery.eventType)}
            </span>
            {delivery.isSample && <Badge tone="neutral">Sample</Badge>}
            <Badge tone={verification.tone}>{verification.words}</Badge>
            <RelativeTime at={delivery.receivedAt} nowMs={nowMs} />
          </p>
          {delivery.reason !== null && (
            <p className="text-sm text-negative">
              {safeText(describeReason(delivery.reason, delivery.detail))}
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {isGood && (
          <Allowed to="hooks:write">
            <Link
              href={`/hooks/${hookId}/actions/new?delivery=${delivery.id}`}
              className={buttonClasses()}
            >
              Create action
            </Link>
          </Allowed>
        )}
        <Link
          href={path}
          className={buttonClasses(delivery.status === "rejected" ? "primary" : "secondary")}
        >
          {delivery.status === "rejected" ? "Find out why" : "View delivery"}
        </Link>
      </div>
    </div>
  );
}

/** Only accepted deliveries can be mapped. Others link to the delivery. */
function describeArrival({ status, isSample }: GuidedDelivery): {
  readonly title: string;
  readonly isGood: boolean;
} {
  switch (status) {
    case "accepted":
      if (isSample) return { title: "A sample is here", isGood: true };
      return { title: "The first delivery is here", isGood: true };
    case "duplicate":
      return { title: "The first delivery is here", isGood: true };
    case "rejected":
      return { title: "A delivery was rejected", isGood: false };
    case "pending":
      return { title: "A delivery is awaiting verification", isGood: false };
    case "handshake":
      return { title: "URL verified. Waiting for the first event", isGood: false };
    case "batch":
      return { title: "An empty batch arrived", isGood: false };
    default:
      return status satisfies never;
  }
}

function toneOf(status: DeliveryStatus): string {
  if (status === "rejected") return "text-negative";
  return status === "accepted" ? "text-positive" : "text-caution";
}
