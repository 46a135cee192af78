import { z } from "zod";
import { dedupeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { countDuplicates } from "#lib/services/hooks/check-identity.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { readHandshakeSecret, rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { getHook, listHooks } from "#lib/services/hooks/read-hooks.ts";
import { testHook } from "#lib/services/hooks/send-test-delivery.ts";
import { verifyPending } from "#lib/services/hooks/verify-pending.ts";
import { createHook, pauseHook, resumeHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { asIs, pageView } from "#lib/web/route/view.ts";
import { hookView, savedHookView } from "./hook-view.ts";

const pendingVerification = z
  .object({
    accepted: z.int(),
    duplicate: z.int(),
    rejected: z.int(),
    pending: z.int().describe("Still pending, because no secret matches or a key can't be fetched"),
  })
  .meta({ id: "PendingVerification" });

const countedDuplicates = z
  .object({
    dedupe: dedupeRuleSchema.describe("The hook's rule now"),
    accepted: z.int().describe("Duplicates that are events now. Their actions run"),
    kept: z
      .int()
      .describe(
        "Duplicates that differ and stay: an action has run on them, or they repeat another",
      ),
  })
  .meta({ id: "CountedDuplicates" });

const testDelivery = z
  .object({
    deliveryId: z.string().nullable().describe("Null: nothing was stored; the response says why"),
    deliveryStatus: z.string().nullable(),
    eventType: z.string(),
    response: z.object({ status: z.int(), body: z.string() }),
    note: z.string().nullable(),
    curl: z.string().nullable().describe("The same as a shell command; null: too large for one"),
    curlValidForSeconds: z.int().nullable(),
  })
  .meta({ id: "TestDelivery" });

export const hookRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/hooks",
    operationId: "createHook",
    summary: "Create a hook",
    service: createHook,
    status: 201,
    view: savedHookView,
    example: { name: "Checkout", provider: "stripe", signingSecret: "whsec_0123456789abcdef" },
  }),
  route({
    method: "GET",
    path: "/hooks",
    operationId: "listHooks",
    summary: "List hooks",
    service: listHooks,
    view: pageView(hookView),
  }),
  route({
    method: "GET",
    path: "/hooks/{id}",
    operationId: "getHook",
    summary: "Get a hook",
    service: getHook,
    view: hookView,
  }),
  route({
    method: "PATCH",
    path: "/hooks/{id}",
    operationId: "updateHook",
    errors: ["template_invalid"],
    summary: "Change a hook",
    description:
      "Changes the given fields. `signingSecret` replaces all secrets at once, and null deletes them. " +
      "`path` replaces the catch URL, and the one before it works for another day.",
    service: updateHook,
    view: savedHookView,
    example: { name: "Checkout EU" },
  }),
  route({
    method: "DELETE",
    path: "/hooks/{id}",
    operationId: "deleteHook",
    summary: "Delete a hook",
    description:
      "Deletes its URL, secrets, deliveries, and runs at once, and cancels what has not run yet.",
    service: deleteHook,
    view: null,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/secrets",
    operationId: "rotateHookSecret",
    summary: "Rotate the signing secret",
    description:
      "Earlier secrets stay valid for `expirePreviousAfterSeconds`: default 86400, at most 604800, 0 ends them now.",
    service: rotateHookSecret,
    status: 201,
    view: savedHookView,
    example: { secret: "whsec_fedcba9876543210", expirePreviousAfterSeconds: 3600 },
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/catch-url",
    operationId: "rotateCatchUrl",
    summary: "Create a new catch URL",
    description:
      "It is generated, also if the hook had a `path`. " +
      "The old one works for `expirePreviousAfterSeconds`: default 86400, at most 2592000, 0 ends it now.",
    service: rotateCatchUrl,
    status: 201,
    view: hookView,
    example: { keyPrefix: "orders" },
  }),
  route({
    method: "DELETE",
    path: "/hooks/{id}/previous-catch-urls",
    operationId: "endPreviousCatchUrls",
    summary: "End all previous catch URLs now",
    service: endPreviousCatchUrls,
    view: null,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/pause",
    operationId: "pauseHook",
    summary: "Pause a hook",
    description: "Holds its runs. Deliveries are still accepted.",
    service: pauseHook,
    view: hookView,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/resume",
    operationId: "resumeHook",
    summary: "Resume a hook",
    description: "Starts held runs at once. Also enables a disabled hook.",
    service: resumeHook,
    view: hookView,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/verify-pending",
    operationId: "verifyPending",
    summary: "Verify pending deliveries",
    description: "For a hook that waited for its secret. Returns how many had each outcome.",
    service: verifyPending,
    view: asIs(pendingVerification),
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/count-duplicates",
    operationId: "countDuplicates",
    summary: "Count duplicates that differ as events",
    description:
      "Adds the content to the hook's `dedupe`, and accepts the stored duplicates that say something else than the " +
      "delivery that they repeat, of the newest 5,000, which also needs `deliveries:write`. `acceptStored: false` " +
      "leaves those as they are.",
    service: countDuplicates,
    view: asIs(countedDuplicates),
    example: { acceptStored: true },
  }),
  route({
    method: "GET",
    path: "/hooks/{id}/handshake-secret",
    operationId: "readHandshakeSecret",
    summary: "Read the secret that the provider sent",
    description: "For a day after its handshake. 404 otherwise.",
    service: readHandshakeSecret,
    view: asIs(z.object({ secret: z.string() }).meta({ id: "HandshakeSecret" })),
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/test",
    operationId: "testHook",
    summary: "Send a signed sample event through the catch URL",
    service: testHook,
    view: asIs(testDelivery),
  }),
];
