"use client";

import type { VersionChoice } from "#components/subscriptions/event-types/version-choice.tsx";
import { SameReceiverNotice } from "#components/subscriptions/same-receiver-notice.tsx";
import { SecretOnce } from "#components/subscriptions/secret-once.tsx";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import {
  type CatalogEntry,
  newPortalDraft,
  PortalSubscriptionForm,
  portalFields,
} from "./subscription-form.tsx";

type Created = {
  readonly id: string;
  readonly secret: string;
  readonly firstId: string | null;
  readonly isPending: boolean;
};

type NewSubscriptionProps = {
  readonly base: string;
  /** The event types to start with. */
  readonly eventTypes: readonly string[];
  readonly catalog: readonly CatalogEntry[];
  readonly versions: VersionChoice;
  readonly create: (input: object) => Promise<CommandResult<Created>>;
  readonly signatureHeaders: SignatureHeaders;
};

/** The form, and then the secret, which isn't shown again. */
export function NewPortalSubscription(props: NewSubscriptionProps) {
  const { base, eventTypes, catalog, versions, create, signatureHeaders } = props;
  const form = useForm(portalFields, { ...newPortalDraft, eventTypes }, create);
  const { result, isPending } = form;
  if (result?.ok === true)
    return <CreatedCard base={base} signatureHeaders={signatureHeaders} {...result.value} />;
  return (
    <Card className="p-4 sm:p-6">
      <PortalSubscriptionForm
        form={form}
        catalog={catalog}
        versions={versions}
        storedVersion=""
        isNew
      >
        <div>
          <Button type="submit" isBusy={isPending}>
            Create subscription
          </Button>
        </div>
      </PortalSubscriptionForm>
    </Card>
  );
}

function CreatedCard(props: Created & Pick<NewSubscriptionProps, "base" | "signatureHeaders">) {
  const { base, id, secret, firstId, isPending, signatureHeaders } = props;
  return (
    <Card className="grid grid-cols-1 gap-5 p-4 sm:p-6">
      <h2 className="font-semibold">Subscription created</h2>
      {isPending ? (
        <Notice tone="caution">
          Its URL hasn't answered the challenge yet. Copy the secret, then see how to answer it.
        </Notice>
      ) : (
        <Notice tone="positive">Its URL has answered the challenge. Events are on.</Notice>
      )}
      <SameReceiverNotice firstId={firstId} settingsUrl={`${base}/subscriptions/${firstId}`} />
      <SecretOnce secret={secret} headers={signatureHeaders} />
      <div>
        <Link href={`${base}/subscriptions/${id}`} className={buttonClasses()}>
          {isPending ? "Answer the challenge" : "View subscription"}
        </Link>
      </div>
    </Card>
  );
}
