"use client";

import type { ReactNode } from "react";
import type { SavedChoice } from "#components/credentials/subscription-credential.tsx";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { isSigned } from "#lib/schema/send/receiver-kind.ts";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { newSubscription, subscriptionFields } from "./draft/subscription-draft.ts";
import type { TallyFilter } from "./draft/use-event-tally.ts";
import type { VersionChoice } from "./event-types/version-choice.tsx";
import { SameReceiverNotice } from "./same-receiver-notice.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { SubscriptionForm } from "./subscription-form.tsx";
import type { TransformCommands } from "./transform/use-transform-trial.ts";

type CreatedSubscription = {
  readonly id: string;
  readonly secret: string;
  readonly firstId: string | null;
};

type NewSubscriptionProps = {
  /** The recipient from the page that led here. Empty: none. */
  readonly recipient: string;
  readonly known: readonly string[];
  readonly create: JsonCommand<CreatedSubscription>;
  readonly tallyFilter: TallyFilter;
  readonly transform: TransformCommands;
  readonly credentials: readonly SavedChoice[];
  readonly versions: VersionChoice;
  readonly signatureHeaders: SignatureHeaders;
};

/** The form, and then the secret, which isn't shown again. */
export function NewSubscription(props: NewSubscriptionProps) {
  const {
    recipient,
    known,
    create,
    tallyFilter,
    transform,
    credentials,
    versions,
    signatureHeaders,
  } = props;
  const form = useForm(subscriptionFields, { ...newSubscription, recipient }, (input) =>
    sendJson({ ok: true, input }, create),
  );
  const { result, isPending, draft } = form;
  if (result?.ok === true)
    return (
      <Created {...result.value}>
        {isSigned(draft.receiver.type) && (
          <SecretOnce secret={result.value.secret} headers={signatureHeaders} />
        )}
      </Created>
    );
  return (
    <Card className="p-6">
      <SubscriptionForm
        form={form}
        known={known}
        tallyFilter={tallyFilter}
        transform={transform}
        credentials={credentials}
        versions={versions}
        storedVersion=""
        isNew
      >
        <div>
          <Button type="submit" isBusy={isPending}>
            Create subscription
          </Button>
        </div>
      </SubscriptionForm>
    </Card>
  );
}

function Created({ id, firstId, children }: CreatedSubscription & { children: ReactNode }) {
  return (
    <Card className="grid grid-cols-1 gap-5 p-6">
      <h2 className="font-semibold">Subscription created</h2>
      <SameReceiverNotice firstId={firstId} settingsUrl={`/subscriptions/${firstId}/settings`} />
      {children}
      <div className="flex flex-wrap gap-2">
        <Link href={`/subscriptions/${id}`} className={buttonClasses()}>
          View subscription
        </Link>
        <Link href="/events/new" className={buttonClasses("secondary")}>
          Send an event
        </Link>
      </div>
    </Card>
  );
}
