import { backtestRoutes } from "#lib/web/backtests/rest.ts";
import { bulkJobRoutes } from "#lib/web/bulk-jobs/rest.ts";
import { credentialRoutes } from "#lib/web/credentials/rest.ts";
import { deliveryRoutes } from "#lib/web/deliveries/rest.ts";
import { destinationRoutes } from "#lib/web/destinations/rest.ts";
import { eventTypeRoutes } from "#lib/web/event-types/rest.ts";
import { eventRoutes } from "#lib/web/events/rest.ts";
import { hookRoutes } from "#lib/web/hooks/rest.ts";
import { providerRoutes } from "#lib/web/providers/rest.ts";
import { recipientRoutes } from "#lib/web/recipients/rest.ts";
import type { Route } from "#lib/web/rest/route/route.ts";
import { runRoutes } from "#lib/web/runs/rest.ts";
import { subscriptionRoutes } from "#lib/web/subscriptions/rest.ts";

/** The table of the REST API: every call, once. */
export const routes: readonly Route[] = [
  ...hookRoutes,
  ...providerRoutes,
  ...credentialRoutes,
  ...destinationRoutes,
  ...backtestRoutes,
  ...deliveryRoutes,
  ...runRoutes,
  ...bulkJobRoutes,
  ...eventRoutes,
  ...subscriptionRoutes,
  ...eventTypeRoutes,
  ...recipientRoutes,
];
