import type { ReactNode } from "react";
import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { kindWords } from "#components/credentials/describe-kind.ts";
import { describeSettings } from "#components/credentials/describe-settings.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { newestVersion } from "#lib/schema/send/payload-version.ts";
import { isSigned, toReceiverKind, withDefaults } from "#lib/schema/send/receiver-kind.ts";
import type { ReceiverSettings } from "#lib/schema/send/receiver-settings.ts";
import { describeReceiver, receiverWords } from "./describe-receiver.ts";
import { receiverCodec } from "./draft/receiver-draft.ts";
import { EventTypeList } from "./event-types/event-type-list.tsx";
import type { VersionChoice } from "./event-types/version-choice.tsx";

type SubscriptionSummaryProps = {
  readonly subscription: {
    readonly id: string;
    readonly receiverUrl: string;
    readonly eventTypes: readonly string[];
    readonly filter: unknown;
    readonly ordered: boolean;
    readonly rateLimit: { readonly count: number; readonly perSeconds: number } | null;
    readonly maxConcurrency: number | null;
    readonly credentialId: string | null;
    readonly credential: CredentialSettings | null;
    readonly receiver: ReceiverSettings | null;
    readonly secrets: readonly { readonly kind: "hmac" | "ed25519"; readonly hint: string }[];
    readonly version: string;
    readonly transform: string | null;
  };
  readonly versions: VersionChoice;
  /** A test event, and jobs to start. */
  readonly children: ReactNode;
};

/** The URL, event types, and secret of a subscription. */
export function SubscriptionSummary(props: SubscriptionSummaryProps) {
  const { subscription, versions, children } = props;
  const { id, receiverUrl, eventTypes, secrets, credentialId, credential } = subscription;
  const kind = toReceiverKind(credential, receiverUrl) ?? "http";
  const settings = receiverCodec.text(withDefaults(kind, subscription.receiver));
  const secret = secrets.find(({ kind }) => kind === "hmac");
  const limits = describeLimits(subscription);
  return (
    <Card className="grid grid-cols-1 gap-5 p-5">
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">{receiverWords[kind]}</p>
        <div data-commands="subscription">
          <CopyLine text={receiverUrl} what="receiver URL" />
        </div>
      </div>
      <dl className="grid gap-5 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        <Fact name="Event types">
          <EventTypeList types={eventTypes} />
        </Fact>
        {isSigned(kind) && (
          <Fact name="Signing secret">
            {secret !== undefined && (
              <code className="font-mono text-xs">whsec_…{safeText(secret.hint)}</code>
            )}{" "}
            <NextLink href={`/subscriptions/${id}/settings#signing-secret`}>Rotate</NextLink>
          </Fact>
        )}
        <Fact name="Filter and limits">{limits === "" ? "None" : limits}</Fact>
        {describeReceiver(settings).map(([name, value]) => (
          <Fact key={name} name={name}>
            {safeText(value)}
          </Fact>
        ))}
        {credential !== null && (
          <Fact name={kindWords[credential.type]}>
            <NextLink href={`/credentials/${credentialId}`}>
              {describeSettings(credential).map(safeText).join(", ")}
            </NextLink>
          </Fact>
        )}
        {subscription.transform !== null && (
          <Fact name="Transform">
            Makes the body that is sent{" "}
            <NextLink href={`/subscriptions/${id}/settings`}>Show</NextLink>
          </Fact>
        )}
        {versions.dates.length > 0 && (
          <Fact name="Version">
            {subscription.version === newestVersion ? "Always the newest" : subscription.version}
            {versions.steps.length > 0 && (
              <>
                {" "}
                <NextLink href={`/subscriptions/${id}/settings`}>See what is newer</NextLink>
              </>
            )}
          </Fact>
        )}
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
