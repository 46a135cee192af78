import { describe, expect, it } from "vitest";
import { requireSendable } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import { requireSendableSteps } from "#lib/core/mapping/build-request/checks/require-sendable-steps.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import { prepareCall } from "#lib/core/mapping/build-request/prepare-call.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { buildSample, listSampleTypes } from "#lib/core/providers/samples/build-sample.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { listSteps } from "#lib/schema/act/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ActionTemplate } from "./action-template.ts";
import { actionTemplates, listActionTemplates } from "./list-action-templates.ts";

const nowMs = Date.parse("2026-11-23T08:30:00.000Z");
const hook = { id: "h", name: "A hook", payloadField: null };

/** Events that the product has no sample of, with one that has the same fields. */
const likeness: Readonly<Record<string, string>> = { "invoice.payment_failed": "invoice.paid" };

/** The responses to the calls of steps. */
const responses: Readonly<Record<string, JsonValue>> = {
  find: { status: 200, body: { total: 1, results: [{ id: "901" }] } },
  warehouse: { status: 500, body: null, error: { code: "failed", message: "Out of stock" } },
};

function sampleOf(
  { providers: [provider = "generic"], eventType }: ActionTemplate,
  other?: string,
): DeliveryView {
  const wanted = other ?? (eventType === null ? undefined : (likeness[eventType] ?? eventType));
  const randomBytes = (count: number) => new Uint8Array(count).map((_, at) => (at * 7 + 3) % 251);
  const sample = buildSample({ provider, eventType: wanted, nowMs, randomBytes });
  if (sample === null || !("json" in sample.content)) throw new Error(`No sample of ${provider}`);
  return {
    id: "01a2063c-a3bb-7264-b86d-02b79f7f621b",
    receivedAtMs: nowMs,
    method: "POST",
    path: "",
    query: "",
    headers: [["Content-Type", "application/json"], ...Object.entries(sample.headers)],
    contentType: "application/json",
    eventId: null,
    eventType: sample.eventType,
    isSample: true,
    body: Buffer.from(JSON.stringify(sample.content.json)),
  };
}

type Call = {
  readonly request: ActionRequestTemplate;
  readonly filter?: ActionFilter | null;
  readonly steps?: Readonly<Record<string, JsonValue>>;
};

async function preview(delivery: DeliveryView, { request, filter = null, steps = {} }: Call) {
  const prepared = await prepareCall({
    delivery,
    hook,
    filter,
    need: { kind: "request", request, auth: null, runId: "r", version: "1" },
    names: { steps },
    nowMs,
    builds: "always",
  });
  if (prepared === null) throw new Error("It takes too long");
  return prepared;
}

/** Previews the steps as a run would do them: each step sees those before it. */
async function previewSteps(template: ActionTemplate, delivery: DeliveryView) {
  const { request, steps: listed } = actionInputSchema.parse(template.action);
  if (request !== undefined && request !== null) return [await preview(delivery, { request })];
  const steps: Record<string, JsonValue> = {};
  const calls = [];
  for (const { step } of listSteps(listed ?? [])) {
    if (step.kind === "transform") {
      const code = `data:text/javascript,${encodeURIComponent(step.code)}`;
      const payload = JSON.parse(Buffer.from(delivery.body).toString());
      steps[step.key] = { value: (await import(code)).default({ payload }), error: null };
    } else if (step.kind === "call") {
      calls.push(await preview(delivery, { request: step.request, steps }));
      steps[step.key] = responses[step.key] ?? { status: 200, body: {}, error: null };
    }
  }
  return calls;
}

it("a provider's own come first", () => {
  expect(actionTemplates.length).toBeGreaterThanOrEqual(10);
  expect(new Set(actionTemplates.map(({ id }) => id)).size).toBe(actionTemplates.length);
  expect(
    listActionTemplates("shopify")
      .slice(0, 2)
      .every(({ providers }) => providers.includes("shopify")),
  ).toBe(true);
  expect(listActionTemplates("attio")[0]?.providers).toEqual([]);
});

describe.each(actionTemplates.map((template) => [template.title, template] as const))(
  "%s",
  (_title, template) => {
    it("can be saved as it is, and says what to fill in", () => {
      const { request, steps } = actionInputSchema.parse(template.action);
      if (request !== undefined && request !== null) {
        const { auth: _none, ...parts } = request;
        requireSendable(parts, []);
      }
      requireSendableSteps(steps ?? [], []);
      expect(template.fillIn.length).toBeGreaterThan(0);
      for (const id of template.providers) expect(findProvider(id)?.id).toBe(id);
    });

    it("makes every call from the provider's sample, with nothing missing", async () => {
      const calls = await previewSteps(template, sampleOf(template));
      expect(calls.length).toBeGreaterThan(0);
      for (const { built } of calls) {
        if (built?.ok !== true) throw new Error(JSON.stringify(built?.errors));
        const { url, body, headers } = built.made;
        expect(`${url}${Buffer.from(body ?? []).toString()}`).not.toMatch(
          /\{\{|"undefined"|\[object/,
        );
        const isJson = headers.some(
          ([name, value]) => name.toLowerCase() === "content-type" && value.includes("json"),
        );
        if (isJson && body !== null) JSON.parse(Buffer.from(body).toString());
      }
    });

    it("runs for its event, and for no other of the provider", async () => {
      const { filter, request } = actionInputSchema.parse(template.action);
      const any = {
        ...(request ?? {
          method: "POST",
          url: "https://a.test/",
          headers: {},
          query: {},
          body: null,
          bodyText: null,
          forward: null,
        }),
      };
      const check = async (delivery: DeliveryView) =>
        (await preview(delivery, { request: any as ActionRequestTemplate, filter })).verdict
          .matches;
      const hasSample = template.eventType === null || likeness[template.eventType] === undefined;
      expect(await check(sampleOf(template))).toBe(hasSample);
      const [provider = "generic"] = template.providers;
      const accepted =
        template.id === "pagerduty-slack"
          ? ["incident.triggered", "incident.resolved"]
          : [template.eventType];
      for (const type of listSampleTypes(provider))
        expect(await check(sampleOf(template, type))).toBe(accepted.includes(type));
    });
  },
);
