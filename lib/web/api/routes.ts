import { maskedFieldRoutes } from "#lib/web/account/masked-fields-rest.ts";
import { accountRoutes } from "#lib/web/account/rest.ts";
import { sendingRoutes } from "#lib/web/account/sending-rest.ts";
import { actionRoutes } from "#lib/web/actions/rest.ts";
import { alertRoutes } from "#lib/web/alerts/rest.ts";
import { auditRoutes } from "#lib/web/audit/rest.ts";
import { backtestRoutes } from "#lib/web/backtests/rest.ts";
import { bulkJobRoutes } from "#lib/web/bulk-jobs/rest.ts";
import { configurationRoutes } from "#lib/web/configuration/rest.ts";
import { credentialRoutes } from "#lib/web/credentials/rest.ts";
import { deliveryRoutes } from "#lib/web/deliveries/rest.ts";
import { destinationRoutes } from "#lib/web/destinations/rest.ts";
import { erasureRoutes } from "#lib/web/erasures/rest.ts";
import { eventTypeRoutes } from "#lib/web/event-types/rest.ts";
import { eventRoutes } from "#lib/web/events/rest.ts";
import { failureRoutes } from "#lib/web/failures/rest.ts";
import { gapRoutes } from "#lib/web/gaps/rest.ts";
import { hookRoutes } from "#lib/web/hooks/rest.ts";
import { listenerRoutes } from "#lib/web/listeners/rest.ts";
import { invitationRoutes, memberRoutes } from "#lib/web/members/rest.ts";
import { problemRoutes } from "#lib/web/problems/rest.ts";
import { providerRoutes } from "#lib/web/providers/rest.ts";
import { recipientRoutes } from "#lib/web/recipients/rest.ts";
import { registrationRoutes } from "#lib/web/registrations/rest.ts";
import type { Route } from "#lib/web/route/route.ts";
import { runRoutes } from "#lib/web/runs/rest.ts";
import { savedViewRoutes } from "#lib/web/saved-views/rest.ts";
import { subscriptionRoutes } from "#lib/web/subscriptions/rest.ts";
import { usageRoutes } from "#lib/web/usage/rest.ts";

type Noun = {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly Route[];
};

/** The table of the REST API, by noun. */
export const nouns: readonly Noun[] = [
  {
    name: "Hooks",
    description:
      "Catch URLs with their verification, secrets, test deliveries, replies, registrations, and missing events.",
    routes: [...hookRoutes, ...registrationRoutes, ...gapRoutes],
  },
  {
    name: "Providers",
    description: "What each provider needs.",
    routes: providerRoutes,
  },
  {
    name: "Actions",
    description: "What a hook does with a delivery: calls, steps, versions, and previews.",
    routes: actionRoutes,
  },
  {
    name: "Credentials",
    description: "Saved tokens, passwords, keys, and certificates, each for one origin.",
    routes: credentialRoutes,
  },
  {
    name: "Destinations",
    description: "Receivers that several actions share.",
    routes: destinationRoutes,
  },
  {
    name: "Backtests",
    description: "What a draft of an action would do to past deliveries.",
    routes: backtestRoutes,
  },
  {
    name: "Deliveries",
    description: "What arrived, why it was rejected, and replay.",
    routes: deliveryRoutes,
  },
  {
    name: "Listeners",
    description: "Programs that hear accepted deliveries, such as a tunnel to your machine.",
    routes: listenerRoutes,
  },
  {
    name: "Runs",
    description: "What actions and subscriptions called, with each attempt.",
    routes: runRoutes,
  },
  {
    name: "Failures",
    description: "Failed runs, grouped by action or subscription and reason.",
    routes: failureRoutes,
  },
  {
    name: "Audit log",
    description: "Who changed what, and what it was before.",
    routes: auditRoutes,
  },
  {
    name: "Problems",
    description: "What is wrong, from its first to its last occurrence.",
    routes: problemRoutes,
  },
  {
    name: "Alerts",
    description: "Who is told about problems, and when.",
    routes: alertRoutes,
  },
  {
    name: "Bulk jobs",
    description: "Changes of many runs or deliveries in the background.",
    routes: bulkJobRoutes,
  },
  {
    name: "Saved views",
    description: "Filters and columns of a list under a name.",
    routes: savedViewRoutes,
  },
  {
    name: "Events",
    description: "What you publish, and its sends.",
    routes: eventRoutes,
  },
  {
    name: "Subscriptions",
    description: "Receiver URLs of your customers, and the event types that they get.",
    routes: subscriptionRoutes,
  },
  {
    name: "Event types",
    description: "The catalog of what you publish, with schemas and examples.",
    routes: eventTypeRoutes,
  },
  {
    name: "Recipients",
    description: "Your customers, and the links to their portal.",
    routes: recipientRoutes,
  },
  {
    name: "Sending",
    description:
      "How the account sends: signature headers, the challenge, the portal, the catalog.",
    routes: sendingRoutes,
  },
  {
    name: "Accounts",
    description: "The account of a token, others of its person, and what it has used.",
    routes: [...accountRoutes, ...usageRoutes, ...erasureRoutes],
  },
  {
    name: "Masked fields",
    description: "The fields of payloads that viewers see masked.",
    routes: maskedFieldRoutes,
  },
  {
    name: "Configuration",
    description: "Everything above in files: what differs, and applying it.",
    routes: configurationRoutes,
  },
  {
    name: "Members",
    description: "The people of the account and their roles.",
    routes: memberRoutes,
  },
  {
    name: "Invitations",
    description: "People who were asked to join and haven't yet.",
    routes: invitationRoutes,
  },
];

/** Every call, once. */
export const routes: readonly Route[] = nouns.flatMap((noun) => noun.routes);
