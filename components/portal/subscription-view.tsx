import type { ReactNode } from "react";
import { DeleteSubscription } from "#components/subscriptions/delete-subscription.tsx";
import { receiverWords } from "#components/subscriptions/describe-receiver.ts";
import { EventTypeList } from "#components/subscriptions/event-types/event-type-list.tsx";
import {
  type VersionChoice,
  VersionSummary,
} from "#components/subscriptions/event-types/version-choice.tsx";
import {
  RotateSecret,
  type RotateSecretCommand,
  type SecretView,
} from "#components/subscriptions/rotate-secret.tsx";
import { VerificationCode } from "#components/subscriptions/secret-once.tsx";
import { describeStatus } from "#components/subscriptions/subscription-status.ts";
import { titleOf } from "#components/subscriptions/subscription-title.ts";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { UrlTabs } from "#components/ui/layout/url-tabs.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { ChallengeGuide } from "./challenge-guide.tsx";
import { EditPortalSubscription, type SavedSubscription } from "./edit-subscription.tsx";
import { PortalStatusButton } from "./portal-status-button.tsx";
import type { PortalSubscription } from "./portal-subscription.ts";
import { PortalTestEvent } from "./portal-test-event.tsx";
import type { CatalogEntry } from "./subscription-form.tsx";

type Change<Value = null> = () => Promise<CommandResult<Value>>;

type SubscriptionViewProps = {
  readonly base: string;
  readonly subscription: PortalSubscription & {
    readonly keyPair: boolean;
    readonly secrets: readonly SecretView[];
  };
  readonly catalog: readonly CatalogEntry[];
  readonly versions: VersionChoice;
  readonly signatureHeaders: SignatureHeaders;
  readonly nowMs: number;
  /** Null: the link is read-only. */
  readonly commands: {
    readonly check: Change;
    readonly enable: Change;
    readonly disable: Change;
    readonly remove: Change;
    readonly rotate: RotateSecretCommand;
    readonly sendTest: (eventType: string | undefined) => Promise<CommandResult<unknown>>;
    readonly save: (patch: object) => Promise<CommandResult<SavedSubscription>>;
  } | null;
  /** The list of sends. Null: the link doesn't include them. */
  readonly children: ReactNode;
};

/** A subscription: whether it gets events, and tabs with its sends, settings, and secret. */
export function PortalSubscriptionView(props: SubscriptionViewProps) {
  const { subscription, commands, children } = props;
  const { status, statusReason } = subscription;
  const tabs = [
    ...(children === null ? [] : [{ id: "history", title: "History", panel: children }]),
    ...listSettings(props),
  ];
  return (
    <>
      <Header {...props} />
      {status === "pending" && (
        <ChallengeGuide
          problem={statusReason?.detail ?? null}
          check={commands === null ? null : commands.check}
        />
      )}
      {tabs.length > 0 && <UrlTabs label="Subscription" tabs={tabs} />}
    </>
  );
}

function Header({ subscription, commands, catalog, versions, nowMs }: SubscriptionViewProps) {
  const { receiverUrl, eventTypes, status, certificate, explanation } = subscription;
  const { words, tone } = describeStatus(subscription);
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 justify-items-start gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
            {safeText(titleOf(subscription))}
          </h1>
          <Badge tone={tone}>{words}</Badge>
        </div>
        {commands !== null && (
          <div className="flex flex-wrap gap-2">
            {status === "active" && (
              <PortalTestEvent
                types={listTestTypes(eventTypes, catalog)}
                send={commands.sendTest}
              />
            )}
            <PortalStatusButton
              status={status}
              enable={commands.enable}
              disable={commands.disable}
            />
          </div>
        )}
      </div>
      <Notice tone={explanation.tone}>{safeText(explanation.text)}</Notice>
      <Card className="grid grid-cols-1 gap-4 p-4 sm:p-5">
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{receiverWords[subscription.receiver]}</p>
          <CopyLine text={receiverUrl} what="receiver URL" />
        </div>
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">Event types</p>
          <EventTypeList types={eventTypes} />
        </div>
        {certificate !== null && (
          <div className="grid gap-1.5">
            <p className="text-sm font-medium">Client certificate</p>
            <p className="text-sm text-muted-foreground">
              Every call has the certificate of{" "}
              <code className="font-mono text-xs wrap-anywhere">
                {safeText(certificate.subject)}
              </code>
              , valid until {certificate.expiresAt.slice(0, 10)}.
            </p>
          </div>
        )}
        {versions.dates.length > 0 && (
          <div className="grid gap-1.5">
            <p className="text-sm font-medium">Version</p>
            <VersionSummary version={subscription.version} choice={versions} nowMs={nowMs} />
          </div>
        )}
      </Card>
    </div>
  );
}

/** The settings, or only the public key if the link is read-only. */
function listSettings(props: SubscriptionViewProps) {
  const { base, subscription, catalog, versions, signatureHeaders, nowMs, commands } = props;
  const { id, secrets, keyPair } = subscription;
  if (commands === null)
    return secrets.some(({ publicKey }) => publicKey !== null)
      ? [{ id: "key", title: "Public key", panel: <PublicKeys id={id} secrets={secrets} /> }]
      : [];
  return [
    {
      id: "settings",
      title: "Settings",
      panel: (
        <Card className="grid grid-cols-1 gap-6 p-4 sm:p-5">
          <EditPortalSubscription
            key={subscription.receiverUrl}
            stored={toDraft(subscription)}
            catalog={catalog}
            versions={versions}
            save={commands.save}
          />
          <div className="border-t pt-5">
            <DeleteSubscription
              name={titleOf(subscription)}
              remove={commands.remove}
              listPath={base}
            />
          </div>
        </Card>
      ),
    },
    {
      id: "secret",
      title: "Signing secret",
      panel: (
        <Card className="grid grid-cols-1 gap-6 p-4 sm:p-5">
          <RotateSecret
            subscriptionId={id}
            secrets={secrets}
            nowMs={nowMs}
            rotate={commands.rotate}
            signatureHeaders={signatureHeaders}
          />
          {keyPair && <PublicKeyLink id={id} />}
          <VerificationCode headers={signatureHeaders} />
        </Card>
      ),
    },
  ];
}

/** Verifies the v1a signature. */
function PublicKeys({ id, secrets }: { id: string; secrets: readonly SecretView[] }) {
  const keys = secrets.flatMap(({ publicKey }) => (publicKey === null ? [] : [publicKey]));
  return (
    <Card className="grid gap-3 p-4 sm:p-5">
      {keys.map((key) => (
        <div key={key} className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 flex-1 basis-48 font-mono text-xs wrap-anywhere">{key}</code>
          <CopyButton text={key} what="public key" />
        </div>
      ))}
      <PublicKeyLink id={id} />
    </Card>
  );
}

/** A link to the same keys for programs, such as those that verify many subscriptions. */
function PublicKeyLink({ id }: { id: string }) {
  const path = `/.well-known/catchment/${id}.json`;
  return (
    <p className="text-sm text-muted-foreground">
      Programs find the public key at{" "}
      <a href={path} target="_blank" rel="noreferrer" className="underline underline-offset-4">
        <code className="font-mono text-xs wrap-anywhere">{path}</code>
      </a>
      .
    </p>
  );
}

function toDraft({
  receiverUrl,
  description,
  eventTypes,
  keyPair,
  version,
}: SubscriptionViewProps["subscription"]) {
  return { receiverUrl, description: description ?? "", eventTypes, keyPair, version };
}

const maxTestTypes = 50;

/** The event types that the subscription gets. */
function listTestTypes(
  eventTypes: readonly string[],
  catalog: readonly CatalogEntry[],
): readonly string[] {
  const own = eventTypes.filter((type) => !type.includes("*"));
  const prefixes = eventTypes.filter((type) => type.endsWith("*")).map((type) => type.slice(0, -1));
  const matching = catalog
    .map(({ name }) => name)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  return [...new Set([...own, ...matching])].slice(0, maxTestTypes);
}
