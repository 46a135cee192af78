import { z } from "zod";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import {
  acceptDeliveries,
  acceptDelivery,
  deleteDelivery,
} from "#lib/services/deliveries/change-deliveries.ts";
import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import { type ActionWhy, explainDelivery } from "#lib/services/deliveries/explain-delivery.ts";
import { getDelivery, listDeliveries } from "#lib/services/deliveries/read-deliveries.ts";
import {
  replayDeliveries,
  replayDelivery,
  type StartedReplay,
} from "#lib/services/deliveries/replay-deliveries.ts";
import { bulkJobSchema, bulkJobView, showBulkJob } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, pick, view } from "#lib/web/route/view.ts";
import { queuedRunsView } from "#lib/web/runs/run-view.ts";
import { deliverySummaryView, deliveryView } from "./delivery-view.ts";

const words = {
  label: z.string().describe("The text of a button"),
  effect: z.string().describe("What the fix changes"),
};

const fix = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("change_provider"), provider: z.string(), ...words }),
    z.object({
      kind: z.literal("change_verification"),
      verification: z.unknown().describe("The same as for a hook whose provider is `custom`"),
      ...words,
    }),
    z.object({
      kind: z.literal("replace_secret"),
      secretId: z.string(),
      change: z.string(),
      ...words,
    }),
    z.object({
      kind: z.literal("extend_secret"),
      secretId: z.string(),
      seconds: z.int(),
      ...words,
    }),
    z.object({ kind: z.literal("allow_method"), method: z.string(), ...words }),
  ])
  .describe("Can be applied on the delivery's page");

const diagnosisSchema = z
  .object({
    verdict: z.enum(["explained", "unexplained", "not_failed"]),
    findings: z
      .array(
        z.object({
          code: z.string(),
          sentence: z.string().describe("What is wrong, and how to fix it"),
          confidence: z.enum(["certain", "likely", "possible"]),
          fix: fix.nullable(),
          suggestedProvider: z.object({ id: z.string(), name: z.string() }).optional(),
        }),
      )
      .readonly(),
    tried: z.int().describe("Variants that were verified"),
    isComplete: z.boolean().describe("False: it stopped before everything was tried"),
    triedWhat: z.string().nullable(),
    next: z.string().nullable().describe("What to do next, if nothing explains it"),
  })
  .meta({ id: "Diagnosis" });

const diagnosisView = view(
  diagnosisSchema,
  ({ diagnosis }: { readonly diagnosis: Diagnosis }) => diagnosis,
);

const dryRunSchema = z
  .object({
    total: z.int().nullable().describe("Runs that it would queue; null: too many to count"),
    leftOut: z
      .object({ notStored: z.int(), nothingSent: z.int() })
      .nullable()
      .describe("Deliveries whose request of then can't be sent again"),
    sample: z
      .array(
        z.object({
          deliveryId: z.string(),
          actionId: z.string(),
          actionName: z.string(),
          outcome: z.enum(["run", "skip", "fail", "steps"]),
          request: z.object({ method: z.string(), url: z.string() }).nullable(),
          message: z.string().nullable(),
        }),
      )
      .readonly()
      .describe("The first 5 runs"),
  })
  .meta({ id: "ReplayDryRun" });

/** The job of a replay, or what it would do. */
const replayView = view(z.union([bulkJobSchema, dryRunSchema]), (started: StartedReplay) =>
  started.kind === "started" ? showBulkJob(started.job) : started.result,
);

const whySchema = z
  .object({
    actionId: z.string(),
    runId: z.string().nullable(),
    code: z.string(),
    sentence: z.string(),
  })
  .meta({ id: "Why" });

/** The reason why an action did or didn't run on a delivery, or the reasons of each action. */
const whyView = view(
  z.union([whySchema, z.object({ data: z.array(whySchema) })]),
  (found: ActionWhy | readonly ActionWhy[]) =>
    "code" in found ? pick(whySchema, found) : { data: found.map((each) => pick(whySchema, each)) },
);

export const deliveryRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/deliveries",
    operationId: "listDeliveries",
    summary: "List deliveries",
    description: "Without headers, body, payload, and runs.",
    service: listDeliveries,
    view: pageView(deliverySummaryView),
  }),
  exportRoute({
    list: "/deliveries",
    operationId: "exportDeliveries",
    summary: "Export deliveries",
    service: listDeliveries,
    view: deliverySummaryView,
  }),
  route({
    method: "GET",
    path: "/deliveries/{id}",
    operationId: "getDelivery",
    summary: "Get a delivery",
    service: getDelivery,
    view: deliveryView,
  }),
  route({
    method: "DELETE",
    path: "/deliveries/{id}",
    operationId: "deleteDelivery",
    summary: "Delete a delivery with its runs and attempts",
    description:
      "If the same event is sent again, it is still a duplicate. 409 while one of its calls is in flight.",
    service: deleteDelivery,
    view: null,
  }),
  route({
    method: "POST",
    path: "/deliveries/{id}/accept",
    operationId: "acceptDelivery",
    summary: "Accept a rejected delivery that verifies now, and run it",
    description: "409 says why it can't be accepted.",
    service: acceptDelivery,
    view: deliveryView,
  }),
  route({
    method: "POST",
    path: "/deliveries/accept",
    operationId: "acceptDeliveries",
    summary: "Accept many rejected deliveries",
    description:
      "Those that verify now, in the background. The `status` of `filter` is `rejected`. It " +
      "may have `hookId`, `eventType`, `eventId`, `isSample`, `q`, `from`, and `to`.",
    service: acceptDeliveries,
    status: 202,
    view: bulkJobView,
    example: { filter: { status: "rejected" } },
  }),
  route({
    method: "POST",
    path: "/deliveries/{id}/replay",
    operationId: "replayDelivery",
    summary: "Run actions on a delivery again",
    description:
      "All enabled actions of its hook, unless `actionIds` names some. " +
      "Only accepted deliveries and duplicates can be replayed.",
    service: replayDelivery,
    status: 202,
    view: queuedRunsView,
  }),
  route({
    method: "POST",
    path: "/deliveries/replay",
    operationId: "replayDeliveries",
    summary: "Run actions on many deliveries again",
    description:
      "In the background and oldest first, by a BulkJob. With `dryRun`, it " +
      "only says what it would do: `{total, sample, leftOut}`.",
    service: replayDeliveries,
    status: 202,
    view: replayView,
    example: { filter: { hookId: "0199f3a0-0000-7000-8000-000000000000" }, onlyMissing: true },
  }),
  route({
    method: "GET",
    path: "/deliveries/{id}/why",
    operationId: "explainDelivery",
    summary: "Say why an action did or didn't run on a delivery, ran late, or waits",
    description:
      "With `?actionId=`: `{actionId, runId, code, sentence}`, also of a deleted " +
      "action. Without it: `{data}` with all actions of the hook.",
    service: explainDelivery,
    view: whyView,
  }),
  route({
    method: "POST",
    path: "/deliveries/{id}/diagnose",
    operationId: "diagnoseDelivery",
    summary: "Say why the signature of a delivery doesn't match",
    description: "Changes nothing. A POST, because it is expensive.",
    service: diagnoseDelivery,
    view: diagnosisView,
  }),
];
