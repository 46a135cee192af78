import {
  buildMappingContext,
  type MappingContext,
} from "#lib/core/mapping/template/mapping-context.ts";
import { calendlySamples } from "#lib/core/providers/calendly.samples.ts";
import { githubSamples } from "#lib/core/providers/github.samples.ts";
import { createFresh } from "#lib/core/providers/shapes/fresh.ts";
import type { SampleEvents } from "#lib/core/providers/shapes/sample-event.ts";
import { shopifySamples } from "#lib/core/providers/shopify.samples.ts";
import { stripeSamples } from "#lib/core/providers/stripe.samples.ts";
import { typeformSamples } from "#lib/core/providers/typeform.samples.ts";
import { proposeMapping } from "../propose-mapping.ts";
import { readExample } from "../read-example.ts";

export const nowMs = Date.parse("2026-11-23T08:30:05.000Z");

function contextOf(payload: unknown): MappingContext {
  return buildMappingContext({
    payloadText: JSON.stringify(payload),
    raw: { method: "POST", query: "", headers: [], body: new Uint8Array() },
    readRawBody: () => null,
    readHeaders: () => ({}),
    hops: 0,
    path: "",
    readDelivery: () => ({
      id: "d",
      receivedAt: "",
      eventId: null,
      eventType: null,
      isSample: false,
    }),
    hook: { id: "h", name: "A hook" },
  });
}

/** The same sample each time. */
function sampleOf(samples: SampleEvents, type: string): unknown {
  const fresh = createFresh(nowMs, (count) =>
    new Uint8Array(count).map((_, at) => (at * 7 + 3) % 251),
  );
  const sample = samples.find((each) => each.type === type)?.make(fresh);
  return sample !== undefined && "json" in sample ? sample.json : {};
}

/** Real payloads. */
export const payloads = {
  stripe: sampleOf(stripeSamples, "checkout.session.completed"),
  invoice: sampleOf(stripeSamples, "invoice.paid"),
  shopify: sampleOf(shopifySamples, "orders/create"),
  github: sampleOf(githubSamples, "push"),
  calendly: sampleOf(calendlySamples, "invitee.created"),
  typeform: sampleOf(typeformSamples, "form_response"),
};

export function propose(payload: unknown, pasted: unknown) {
  const read = readExample(typeof pasted === "string" ? pasted : JSON.stringify(pasted));
  if (!read.ok) throw new Error(read.message);
  const context = contextOf(payload);
  const proposals = proposeMapping(read.example, context, nowMs);
  return { context, example: read.example, proposals };
}

/** The template for each value of an example. If there is none, the example's own value. */
export function templatesOf(payload: unknown, pasted: unknown): Record<string, string> {
  const { proposals } = propose(payload, pasted);
  return Object.fromEntries(
    proposals.map(({ path, template, each, literal }) => [
      path.replace(/^body\./, ""),
      each !== undefined ? `each ${each}` : (template ?? `= ${literal}`),
    ]),
  );
}
