import {
  createDestination,
  deleteDestination,
  getDestination,
  listDestinations,
  updateDestination,
} from "#lib/services/destinations.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { destinationView } from "./destination-view.ts";

export const destinationRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/destinations",
    operationId: "createDestination",
    summary: "Create a destination",
    service: createDestination,
    status: 201,
    view: destinationView,
    example: { name: "CRM", origin: "https://crm.example.com", maxConcurrency: 5 },
  }),
  route({
    method: "GET",
    path: "/destinations",
    operationId: "listDestinations",
    summary: "List destinations",
    description: "Newest first.",
    service: listDestinations,
    view: pageView(destinationView),
  }),
  route({
    method: "GET",
    path: "/destinations/{id}",
    operationId: "getDestination",
    summary: "Get a destination",
    service: getDestination,
    view: destinationView,
  }),
  route({
    method: "PATCH",
    path: "/destinations/{id}",
    operationId: "updateDestination",
    summary: "Change a destination",
    description: "Changes the given fields. 409 for another `origin` while actions use it.",
    service: updateDestination,
    view: destinationView,
    example: { name: "CRM EU" },
  }),
  route({
    method: "DELETE",
    path: "/destinations/{id}",
    operationId: "deleteDestination",
    summary: "Delete a destination",
    description: "409 names the actions that use it.",
    service: deleteDestination,
    view: null,
  }),
];
