import type { Metadata } from "next";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { NewSubscription } from "#components/subscriptions/new-subscription.tsx";
import { getSignatureHeaders } from "#lib/services/account/sender-settings.ts";
import { listReceiverChoices } from "#lib/services/destinations.ts";
import { listKnownTypes } from "#lib/services/event-types.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import {
  checkTransformCommand,
  createSubscriptionCommand,
  previewTransformCommand,
  tallyEventFilterCommand,
} from "#lib/web/subscriptions/commands.ts";

export const metadata: Metadata = { title: "New subscription" };

export default async function NewSubscriptionPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const { recipient } = await searchParams;
  const context = await pageContext();
  const [known, versions, signatureHeaders, { credentials }] = await Promise.all([
    listKnownTypes(context, {}),
    listVersionChoice(context, {}),
    getSignatureHeaders(context, {}),
    listReceiverChoices(context, {}),
  ]);
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader title="New subscription" lead="Send events to a URL, signed and retried." />
      <Restricted to="subscriptions:write">
        <NewSubscription
          recipient={typeof recipient === "string" ? recipient : ""}
          known={known}
          versions={versions}
          create={createSubscriptionCommand}
          tallyFilter={tallyEventFilterCommand}
          transform={{ preview: previewTransformCommand, check: checkTransformCommand }}
          credentials={credentials}
          signatureHeaders={signatureHeaders}
        />
      </Restricted>
    </div>
  );
}
