import { cache } from "react";
import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { hintHeaders } from "#lib/core/sending/sealed-headers.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { getSignatureHeaders } from "#lib/services/account/sender-settings.ts";
import { listCurrentJobs } from "#lib/services/bulk-jobs.ts";
import { listReceiverChoices } from "#lib/services/destinations.ts";
import { listKnownTypes } from "#lib/services/event-types.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listRunRows } from "#lib/services/runs.ts";
import {
  explainSubscription,
  getSubscription,
  type SubscriptionRecord,
} from "#lib/services/subscriptions/read-subscriptions.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";
import { runFilters } from "#lib/web/runs/read-run-list.ts";

/** A subscription with its sends. Throws `not_found`. */
export async function readSubscriptionPage(
  context: ServiceContext,
  subscriptionId: string,
  params: SearchParams,
) {
  const { subscription, explanation } = await explainSubscription(context, { id: subscriptionId });
  const { id } = subscription;
  const [list, known, jobs, versions] = await Promise.all([
    readList(context, listRunRows, {
      path: `/subscriptions/${id}`,
      names: runFilters,
      params,
      fixed: { subscriptionId: id },
    }),
    listKnownTypes(context, {}),
    readJobs(context, id),
    listVersionChoice(context, { id }),
  ]);
  const { items, nowMs, values, problems, isFiltered, links } = list;
  return {
    nowMs,
    explanation,
    jobs,
    versions,
    subscription: withoutSealed(subscription),
    testTypes: listTestTypes(subscription, known),
    values,
    problems,
    isFiltered,
    sends: items,
    links,
  };
}

const readJobsAtOnce = 20;

/** Recoveries and replays of this subscription that run, or just ended. */
async function readJobs(context: ServiceContext, subscriptionId: string) {
  const jobs = await listCurrentJobs(context, {
    kinds: ["retry", "cancel", "replay_missing"],
    limit: readJobsAtOnce,
  });
  return jobs.flatMap((job) => {
    if (job.kind === "accept" || job.kind === "replay" || job.kind === "take_in") return [];
    if (job.filter.subscriptionId !== subscriptionId) return [];
    return [{ ...toJobState(job), kind: job.kind }];
  });
}

/** All fields of a subscription. Header values stay here. Throws `not_found`. */
export async function readSubscriptionSettings(context: ServiceContext, id: string) {
  const subscription = await getSubscription(context, { id });
  const [known, versions, signatureHeaders, { credentials }] = await Promise.all([
    listKnownTypes(context, {}),
    listVersionChoice(context, { id: subscription.id }),
    getSignatureHeaders(context, {}),
    listReceiverChoices(context, {}),
  ]);
  return {
    nowMs: context.now().getTime(),
    subscription: {
      ...withoutSealed(subscription),
      headerNames: Object.keys(hintHeaders(context.sealer, subscription)),
    },
    known,
    credentials,
    versions,
    signatureHeaders,
  };
}

function withoutSealed({
  headersCiphertext: _headers,
  accountId: _account,
  ...subscription
}: SubscriptionRecord) {
  return subscription;
}

const maxTestTypes = 50;

/** Types that the subscription gets. */
function listTestTypes(
  { eventTypes }: SubscriptionRecord,
  known: readonly string[],
): readonly string[] {
  const own = eventTypes.filter((type) => !type.includes("*"));
  const matching = known.filter((type) => matchesAny(eventTypes, type));
  return [...new Set([...own, ...matching])].slice(0, maxTestTypes);
}

/** The name of a subscription, for the title of its page. Throws `not_found`. */
export const readSubscription = cache(
  async (context: ServiceContext, id: string): Promise<{ readonly name: string }> => {
    const { description, receiverUrl } = await getSubscription(context, { id });
    return { name: description ?? nameReceiver(receiverUrl) };
  },
);
