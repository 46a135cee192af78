import { getRegistration, registerHook, removeRegistration } from "#lib/services/registrations.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { registrationView } from "./registration-view.ts";

export const registrationRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/hooks/{id}/registration",
    operationId: "registerHook",
    errors: ["conflict"],
    summary: "Register a hook at its provider, and keep it so",
    description:
      "Creates the webhook at the provider in the background, or adopts the one with this catch URL. Done again, it " +
      "changes the types, and registers again what someone has deleted there.",
    service: registerHook,
    status: 202,
    view: registrationView,
    example: {
      credentialId: "0199c0de-0000-7000-8000-000000000000",
      eventTypes: ["invoice.paid", "invoice.payment_failed"],
    },
  }),
  route({
    method: "GET",
    path: "/hooks/{id}/registration",
    operationId: "getRegistration",
    summary: "Get what is known of a hook's webhook at its provider",
    service: getRegistration,
    view: registrationView,
  }),
  route({
    method: "DELETE",
    path: "/hooks/{id}/registration",
    operationId: "removeRegistration",
    summary: "Remove the webhook at the provider",
    description: "In the background. With `keep`, Catchment only forgets it.",
    service: removeRegistration,
    view: null,
    example: { keep: true },
  }),
];
