import { createFresh, type Fresh } from "#lib/core/providers/shapes/fresh.ts";
import type { SampleContent } from "#lib/core/providers/shapes/sample-event.ts";
import { sampleIndex } from "./sample-index.ts";

/** A provider's request without its signature. Header names are lowercase. */
export type Sample = {
  readonly eventType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: SampleContent;
};

type SampleOptions = {
  readonly provider: string;
  /** Default: the provider's most common type. */
  readonly eventType?: string | undefined;
  readonly nowMs: number;
  readonly randomBytes: (count: number) => Uint8Array;
};

/**
 * The event types with a sample, most common first. Empty: only the generic sample, which accepts
 * any type.
 */
export function listSampleTypes(provider: string): readonly string[] {
  return sampleIndex.get(provider)?.map(({ type }) => type) ?? [];
}

/** Null: no sample of that type. Providers without samples use the generic one. */
export function buildSample({
  provider,
  eventType,
  nowMs,
  randomBytes,
}: SampleOptions): Sample | null {
  const fresh = createFresh(nowMs, randomBytes);
  const events = sampleIndex.get(provider);
  if (events === undefined) return generic(fresh, eventType ?? "example.created");
  const event = eventType === undefined ? events[0] : events.find(({ type }) => type === eventType);
  if (event === undefined) return null;
  const content = event.make(fresh);
  return { eventType: event.type, headers: content.headers ?? {}, content };
}

function generic(fresh: Fresh, type: string): Sample {
  const content = {
    json: {
      id: `evt_${fresh.text(24)}`,
      type,
      createdAt: fresh.iso,
      data: {
        id: `obj_${fresh.text(16)}`,
        name: "Jenny Rosen",
        email: "jenny.rosen@example.com",
        amount: 4200,
        currency: "usd",
        status: "active",
        tags: ["example"],
      },
    },
  };
  return { eventType: type, headers: {}, content };
}
