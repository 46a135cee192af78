import { matchesAny } from "#lib/core/sender/event-type-patterns.ts";
import { explainSubscription } from "#lib/core/sender/explain-subscription.ts";
import { hintHeaders } from "#lib/core/sender/sealed-headers.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { listCurrentJobs } from "#lib/services/bulk-jobs/read-bulk-jobs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toLastSend } from "#lib/services/subscriptions/last-send.ts";
import { readSignatureHeaders } from "#lib/web/account/page.ts";
import { toJobState } from "#lib/web/bulk-jobs/job-state.ts";
import { readKnownTypes } from "#lib/web/event-types/read-known-types.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";
import { readRunQuery } from "#lib/web/runs/run-filters.ts";

const pageSize = 50;

/** A subscription with its sends. Throws `not_found`. */
export async function readSubscriptionPage(
  context: ServiceContext,
  accountId: string,
  subscriptionId: string,
  params: SearchParams,
) {
  const { db } = context;
  const nowMs = Date.now();
  const subscription = await getSubscription(db, accountId, subscriptionId);
  const { id } = subscription;
  const query = readRunQuery(params, nowMs);
  const { values, problems, filter, cursor } = query;
  const [page, known, explanation, jobs] = await Promise.all([
    readPage(problems, () =>
      listRuns(db, accountId, { ...filter, subscriptionId: id }, { limit: pageSize, cursor }),
    ),
    readKnownTypes(context, accountId),
    explain(context, accountId, subscription),
    readJobs(context, id),
  ]);
  return {
    nowMs,
    explanation,
    jobs,
    subscription: withoutSealed(subscription),
    testTypes: listTestTypes(subscription, known),
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    sends: await readRunRows(
      db,
      accountId,
      page.items.map((run) => run.id),
    ),
    links: pageLinks(`/subscriptions/${id}`, query, page.nextCursor),
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
    if (job.kind === "accept" || job.kind === "replay") return [];
    if (job.filter.subscriptionId !== subscriptionId) return [];
    return [{ ...toJobState(job), kind: job.kind }];
  });
}

async function explain(
  context: ServiceContext,
  accountId: string,
  subscription: SubscriptionRecord,
) {
  const { id, failingSince } = subscription;
  const newest = (await readLastSends(context.db, accountId, [id])).get(id) ?? null;
  // A subscription that sends in order fails with an older event, and the newest ones wait for it.
  const isWaiting = failingSince !== null && newest?.status === "queued";
  const last = (isWaiting ? await readRetried(context, accountId, id) : null) ?? newest;
  return explainSubscription({
    ...subscription,
    isFailing: failingSince !== null,
    last: last === null ? null : toLastSend(last),
    published: last === null ? await findPublished(context, accountId, subscription) : "matching",
  });
}

async function readRetried({ db }: ServiceContext, accountId: string, subscriptionId: string) {
  const filter = { subscriptionId, status: "retrying" } as const;
  const { items } = await listRuns(db, accountId, filter, { limit: 1 });
  const [row] = await readRunRows(
    db,
    accountId,
    items.map((run) => run.id),
  );
  return row ?? null;
}

/** The number of latest events searched for the reason why nothing was sent. */
const searchedEvents = 200;

async function findPublished(
  { db }: ServiceContext,
  accountId: string,
  { recipient, eventTypes, createdAt }: SubscriptionRecord,
) {
  const filter = recipient === null ? {} : { recipient };
  const { items } = await listEvents(db, accountId, filter, { limit: searchedEvents });
  const own = items.filter((event) => event.recipient === recipient);
  const matching = own.filter(({ type }) => matchesAny(eventTypes, type));
  if (own.length === 0) return "none";
  if (matching.length === 0) return "other_types";
  return matching.some((event) => event.createdAt > createdAt) ? "matching" : "before_it";
}

/** All fields of a subscription. Header values stay here. Throws `not_found`. */
export async function readSubscriptionSettings(
  context: ServiceContext,
  accountId: string,
  subscriptionId: string,
) {
  const subscription = await getSubscription(context.db, accountId, subscriptionId);
  return {
    nowMs: Date.now(),
    subscription: {
      ...withoutSealed(subscription),
      headerNames: Object.keys(hintHeaders(context.sealer, subscription)),
    },
    known: await readKnownTypes(context, accountId),
    signatureHeaders: await readSignatureHeaders(context, accountId),
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
