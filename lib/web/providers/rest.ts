import { listProviders } from "#lib/services/providers.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { providersView } from "./provider-view.ts";

export const providerRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/providers",
    operationId: "listProviders",
    summary: "List all providers",
    description: "All at once, `generic` and `custom` first.",
    service: listProviders,
    view: providersView,
  }),
];
