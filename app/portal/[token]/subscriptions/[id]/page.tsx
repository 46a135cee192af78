import type { Metadata } from "next";
import { ActivityPlots } from "#components/plots/activity-plots.tsx";
import { PortalSends } from "#components/portal/portal-sends.tsx";
import { PortalSubscriptionView } from "#components/portal/subscription-view.tsx";
import { titleOf } from "#components/subscriptions/subscription-title.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pickSignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { readSendActivity } from "#lib/services/activity.ts";
import { listCatalog } from "#lib/services/event-types.ts";
import { getPortalSubscription } from "#lib/services/portal.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { readFirstPlots } from "#lib/web/plots.ts";
import {
  checkInPortal,
  disableInPortal,
  enableInPortal,
  readSendPlotsInPortal,
  recoverInPortal,
  removeInPortal,
  replayMissingInPortal,
  rotateInPortal,
  testInPortal,
  updateInPortal,
} from "#lib/web/portal/commands.ts";
import {
  readForPage,
  readRecoveries,
  readSends,
  requirePortal,
} from "#lib/web/portal/portal-page.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

type SubscriptionPageProps = {
  params: Promise<{ token: string; id: string }>;
  searchParams: Promise<SearchParams>;
};

export async function generateMetadata({ params }: SubscriptionPageProps): Promise<Metadata> {
  const { token, id } = await params;
  const subscription = await readForPage(token, getPortalSubscription, { id });
  return { title: safeText(titleOf(subscription)).slice(0, 80) };
}

export default async function PortalSubscriptionPage(props: SubscriptionPageProps) {
  const { token, id } = await props.params;
  const { cursor, job, status } = await props.searchParams;
  const { capabilities, settings } = await requirePortal(token);
  const subscription = await readForPage(token, getPortalSubscription, { id });
  const isWritable = capabilities.includes("subscriptions:write");
  const at = typeof cursor === "string" ? cursor : undefined;
  const filter = {
    ...(typeof job === "string" && { job }),
    ...(typeof status === "string" && { status }),
  };
  const hasSends = capabilities.includes("events:read");
  const [catalog, versions, sends, plots, recoveries] = await Promise.all([
    readForPage(token, listCatalog, {}),
    readForPage(token, listVersionChoice, { id }),
    hasSends ? readSends(token, { id, cursor: at, ...filter }) : null,
    hasSends
      ? readFirstPlots((range) => readForPage(token, readSendActivity, { id, range }))
      : null,
    capabilities.includes("resend") ? readRecoveries(token, id) : null,
  ]);
  const base = `/portal/${token}`;
  return (
    <PortalSubscriptionView
      base={base}
      subscription={subscription}
      catalog={catalog}
      versions={versions}
      signatureHeaders={pickSignatureHeaders(settings)}
      nowMs={Date.now()}
      commands={
        isWritable
          ? {
              check: checkInPortal.bind(null, token, id),
              enable: enableInPortal.bind(null, token, id),
              disable: disableInPortal.bind(null, token, id),
              remove: removeInPortal.bind(null, token, id),
              rotate: rotateInPortal.bind(null, token),
              sendTest: testInPortal.bind(null, token, id),
              save: updateInPortal.bind(null, token, id),
            }
          : null
      }
    >
      {sends === null ? null : (
        <div className="grid grid-cols-1 gap-6">
          <ActivityPlots
            plots={plots}
            read={readSendPlotsInPortal.bind(null, token, id)}
            what="Sends"
          />
          <PortalSends
            base={base}
            subscriptionId={id}
            list={sends}
            isFirst={at === undefined}
            filter={{ job: "", status: "", ...filter }}
            recovery={
              recoveries === null
                ? null
                : {
                    recoveries,
                    recover: recoverInPortal.bind(null, token),
                    replayMissing: replayMissingInPortal.bind(null, token),
                  }
            }
          />
        </div>
      )}
    </PortalSubscriptionView>
  );
}
