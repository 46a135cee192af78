import { z } from "zod";
import {
  erasureModes,
  erasurePlaces,
  erasureStatuses,
} from "#lib/schema/account/erasure-places.ts";
import {
  cancelErasure,
  createErasure,
  deleteErasureRule,
  type ErasureRecord,
  type ErasureRuleRecord,
  getErasure,
  listErasureRules,
  listErasures,
} from "#lib/services/erasures.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";

const erasureViewSchema = z
  .object({
    id: z.string(),
    mode: z.enum(erasureModes),
    dryRun: z.boolean().describe("It only counts"),
    status: z.enum(erasureStatuses),
    fingerprints: z
      .array(z.string())
      .describe(
        "A keyed hash of each value, as in the audit log. The values themselves aren't stored after the end",
      ),
    pass: z.int().describe("Each pass looks at everything, and one that finds nothing is the last"),
    places: z
      .array(
        z.object({
          place: z.enum(erasurePlaces),
          found: z.int().describe("Rows with a value"),
          changed: z
            .int()
            .describe("Rows that were redacted or deleted. 0 in a place that is only counted"),
        }),
      )
      .describe("Where the values were. Only places with one"),
    laterArrivals: z
      .boolean()
      .describe("It leaves a rule for each value at its end, unless it only counts"),
    ruleIds: z
      .array(z.string())
      .describe("The rules that started it, because a value had arrived again. Empty: someone did"),
    left: z.array(z.string()).describe("What couldn't be looked into, in sentences"),
    createdAt: z.date(),
    finishedAt: z.date().nullable().describe("Null: it is running"),
  })
  .meta({ id: "Erasure" });

/** An erasure in the API's responses, and on its page. */
export const erasureView = view(
  erasureViewSchema,
  ({ progress, counts, ...erasure }: ErasureRecord) => ({
    ...erasure,
    fingerprints: [...erasure.fingerprints],
    pass: progress.pass,
    places: erasurePlaces.flatMap((place) => {
      const { found = 0, changed = 0 } = counts[place] ?? {};
      return found === 0 ? [] : [{ place, found, changed }];
    }),
    ruleIds: [...erasure.ruleIds],
    left: [...progress.left],
  }),
);

const erasureRuleSchema = z
  .object({
    id: z.string(),
    erasureId: z.string().describe("The erasure that left it"),
    fingerprint: z.string().describe("The keyed hash of the value in that erasure and its receipt"),
    mode: z.enum(erasureModes).describe("What happens to deliveries and events with the value"),
    createdBy: z.string().describe("Who started that erasure"),
    createdAt: z.date(),
    matches: z.int().describe("Deliveries and events that had the value"),
    lastMatchAt: z.date().nullable().describe("When it was last found. Null: not yet"),
  })
  .meta({ id: "ErasureRule" });

/** A rule for later arrivals in the API's responses, and on the page of erasures. */
export const erasureRuleView = view(erasureRuleSchema, (rule: ErasureRuleRecord) => rule);

export const erasureRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/erasures",
    operationId: "createErasure",
    errors: ["conflict"],
    summary: "Forget a person",
    description:
      "Finds the values in everything that is stored, in the background. A dry run, which is the default, counts " +
      "where they are. Otherwise they are redacted, or what contains them is deleted. It can't be undone.",
    service: createErasure,
    status: 202,
    view: erasureView,
    example: { values: ["jo@example.com", "cus_N1"], mode: "redact", dryRun: true },
  }),
  route({
    method: "GET",
    path: "/erasures",
    operationId: "listErasures",
    summary: "List erasures",
    description: "Newest first.",
    service: listErasures,
    view: pageView(erasureView),
  }),
  route({
    method: "GET",
    path: "/erasures/{id}",
    operationId: "getErasure",
    summary: "Get an erasure",
    description: "With where the values were, and how far it has come.",
    service: getErasure,
    view: erasureView,
  }),
  route({
    method: "POST",
    path: "/erasures/{id}/cancel",
    operationId: "cancelErasure",
    summary: "Cancel an erasure",
    description: "What it has changed stays so. Rejected with 409 if it has ended.",
    service: cancelErasure,
    view: erasureView,
  }),
  route({
    method: "GET",
    path: "/erasure-rules",
    operationId: "listErasureRules",
    summary: "List rules for later arrivals",
    description: "Newest first. A rule knows its value by a keyed hash, and doesn't say it.",
    service: listErasureRules,
    view: pageView(erasureRuleView),
  }),
  route({
    method: "DELETE",
    path: "/erasure-rules/{id}",
    operationId: "deleteErasureRule",
    summary: "Remove a rule for later arrivals",
    description:
      "What arrives from now on with its value stays. An erasure that it has started continues.",
    service: deleteErasureRule,
    view: null,
  }),
];
