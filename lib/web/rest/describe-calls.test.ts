import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { actionRoutes } from "#lib/web/actions/rest.ts";
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
import { runRoutes } from "#lib/web/runs/rest.ts";
import { subscriptionRoutes } from "#lib/web/subscriptions/rest.ts";
import { describeCalls } from "./describe-calls.ts";
import { routes } from "./routes.ts";

/** The pages of docs/api/ with a table of calls. */
const pages = {
  actions: actionRoutes,
  backtests: backtestRoutes,
  "bulk-jobs": bulkJobRoutes,
  credentials: credentialRoutes,
  deliveries: deliveryRoutes,
  destinations: destinationRoutes,
  "event-types": eventTypeRoutes,
  events: eventRoutes,
  hooks: hookRoutes,
  providers: providerRoutes,
  recipients: recipientRoutes,
  runs: runRoutes,
  subscriptions: subscriptionRoutes,
};

it.each(Object.entries(pages))("docs/api/%s.md has the table of its calls", async (name, calls) => {
  const path = new URL(`../../../docs/api/${name}.md`, import.meta.url);
  const text = readFileSync(path, "utf8");
  const written = text.replace(
    /(<!-- calls -->\n).*?(\n<!-- end of calls -->)/s,
    (_, start, end) => `${start}${describeCalls(calls)}${end}`,
  );
  await expect(written).toMatchFileSnapshot(path.pathname);
});

it("every call is on one page", () => {
  expect(new Set(Object.values(pages).flat())).toEqual(new Set(routes));
});
