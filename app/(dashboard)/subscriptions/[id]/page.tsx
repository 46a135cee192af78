import type { Metadata } from "next";
import { Allowed } from "#components/permissions/role.tsx";
import { ActivityPlots } from "#components/plots/activity-plots.tsx";
import { OpenProblems } from "#components/problems/open-problems.tsx";
import { SendList } from "#components/subscriptions/send-list.tsx";
import { SubscriptionHeader } from "#components/subscriptions/subscription-header.tsx";
import {
  SubscriptionJobs,
  SubscriptionTools,
} from "#components/subscriptions/subscription-jobs.tsx";
import { SubscriptionSummary } from "#components/subscriptions/subscription-summary.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { readSendActivity } from "#lib/services/activity.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readFirstPlots } from "#lib/web/plots.ts";
import { readOpenProblems } from "#lib/web/problems/read-problems.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import {
  disableSubscriptionCommand,
  enableSubscriptionCommand,
  readSendPlotsCommand,
  recoverCommand,
  replayMissingCommand,
  sendTestEventCommand,
} from "#lib/web/subscriptions/commands.ts";
import {
  readSubscription,
  readSubscriptionPage,
} from "#lib/web/subscriptions/read-subscription-page.ts";
import { jobCommands } from "../../jobs/job-commands.ts";
import { ManagedHere } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";

type SubscriptionPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
};

export async function generateMetadata({ params }: SubscriptionPageProps): Promise<Metadata> {
  return await titleByName(params, readSubscription, { otherwise: "Subscription" });
}

export default async function SubscriptionPage({ params, searchParams }: SubscriptionPageProps) {
  const context = await pageContext();
  const { id } = await params;
  const page = await orNotFound(readSubscriptionPage(context, id, await searchParams));
  const { subscription } = page;
  const plots = await readFirstPlots((range) =>
    readSendActivity(context, { id: subscription.id, range }),
  );
  const of = { subscriptionId: subscription.id };
  const problems = await readOpenProblems(context, of);
  return (
    <>
      <SubscriptionHeader
        subscription={subscription}
        current="overview"
        managed={<ManagedHere kind="subscription" id={subscription.id} />}
        enable={enableSubscriptionCommand}
        disable={disableSubscriptionCommand}
      />
      <OpenProblems problems={problems} nowMs={page.nowMs} />
      <Notice tone={page.explanation.tone}>{safeText(page.explanation.text)}</Notice>
      <ActivityPlots
        plots={plots}
        read={readSendPlotsCommand.bind(null, subscription.id)}
        what="Sends"
        filter={{ subscriptionId: subscription.id }}
      />
      <SubscriptionSummary subscription={subscription} versions={page.versions}>
        {subscription.status === "active" && (
          <Allowed to="subscriptions:write">
            <SubscriptionTools
              subscriptionId={subscription.id}
              testTypes={page.testTypes}
              sendTest={sendTestEventCommand}
              recover={recoverCommand}
              replayMissing={replayMissingCommand}
            />
          </Allowed>
        )}
      </SubscriptionSummary>
      <SubscriptionJobs jobs={page.jobs} nowMs={page.nowMs} {...jobCommands} />
      <SendList subscriptionId={subscription.id} list={page} />
    </>
  );
}
