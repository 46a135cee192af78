import type { Metadata } from "next";
import { Restricted } from "#components/permissions/restricted.tsx";
import { SubscriptionFacts } from "#components/read-only/subscription-facts.tsx";
import { DeleteSubscription } from "#components/subscriptions/delete-subscription.tsx";
import { toSubscriptionDraft } from "#components/subscriptions/draft/subscription-draft.ts";
import { RotateSecret } from "#components/subscriptions/rotate-secret.tsx";
import { SubscriptionHeader } from "#components/subscriptions/subscription-header.tsx";
import { SubscriptionSettings } from "#components/subscriptions/subscription-settings.tsx";
import { titleOf } from "#components/subscriptions/subscription-title.ts";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { isSigned } from "#lib/schema/send/receiver-kind.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import {
  checkTransformCommand,
  deleteSubscriptionCommand,
  disableSubscriptionCommand,
  enableSubscriptionCommand,
  previewTransformCommand,
  rotateSubscriptionSecretCommand,
  saveSubscriptionCommand,
  tallyEventFilterCommand,
} from "#lib/web/subscriptions/commands.ts";
import {
  readSubscription,
  readSubscriptionSettings,
} from "#lib/web/subscriptions/read-subscription-page.ts";
import { ManagedHere } from "../../../managed-here.tsx";
import { titleByName } from "../../../title-by-name.ts";

type SettingsPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: SettingsPageProps): Promise<Metadata> {
  return await titleByName(params, readSubscription, {
    part: "Settings",
    otherwise: "Subscription settings",
  });
}

export default async function SubscriptionSettingsPage({ params }: SettingsPageProps) {
  const { id } = await params;
  const { subscription, known, credentials, versions, nowMs, signatureHeaders } = await orNotFound(
    readSubscriptionSettings(await pageContext(), id),
  );
  const draft = toSubscriptionDraft(subscription);
  return (
    <>
      <SubscriptionHeader
        subscription={subscription}
        current="settings"
        managed={<ManagedHere kind="subscription" id={subscription.id} />}
        enable={enableSubscriptionCommand}
        disable={disableSubscriptionCommand}
      />
      <Restricted
        to="subscriptions:write"
        instead={
          <SubscriptionFacts
            draft={draft}
            secrets={subscription.secrets}
            credential={subscription.credential}
          />
        }
      >
        <SettingsSection title="Events" lead="Where events go, which ones, and how they are sent.">
          <SubscriptionSettings
            stored={draft}
            known={known}
            credentials={credentials}
            versions={versions}
            save={saveSubscriptionCommand.bind(null, subscription.id)}
            tallyFilter={tallyEventFilterCommand}
            transform={{ preview: previewTransformCommand, check: checkTransformCommand }}
          />
        </SettingsSection>
        {isSigned(draft.receiver.type) && (
          <div id="signing-secret" className="scroll-mt-10">
            <SettingsSection
              title="Signing secret"
              lead="Every request is signed with it, so that the receiver knows it is yours."
            >
              <RotateSecret
                subscriptionId={subscription.id}
                secrets={subscription.secrets}
                nowMs={nowMs}
                rotate={rotateSubscriptionSecretCommand}
                signatureHeaders={signatureHeaders}
              />
            </SettingsSection>
          </div>
        )}
        <SettingsSection title="Delete" lead="Permanently stop sending to this receiver.">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 flex-1 basis-64 text-sm text-muted-foreground">
              To stop for a while, disable it instead.
            </p>
            <DeleteSubscription
              name={titleOf(subscription)}
              remove={deleteSubscriptionCommand.bind(null, subscription.id)}
            />
          </div>
        </SettingsSection>
      </Restricted>
    </>
  );
}
