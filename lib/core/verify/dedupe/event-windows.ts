import { toDedupeKey } from "./dedupe-key.ts";

type Received = { readonly receivedAtMs: number };

/** A delivery with what decides whether it is a duplicate, or a batch with its events. */
type Event = Received & {
  readonly hookId: string;
  readonly keyHash: Uint8Array | null;
  readonly withinSeconds?: number | undefined;
  readonly events?: readonly Event[];
};

/** How long ago it was received, by the clock of its process. Null: a moment ago, as usual. */
export function readAgeMs({ receivedAtMs }: Received, nowMs: number): number | null {
  const ageMs = Math.round(nowMs - receivedAtMs);
  return ageMs < usualMs ? null : Math.min(ageMs, maxMs);
}

const usualMs = 1_000;
/** The limit of an `int`, rounded down. */
const maxMs = 2_000_000_000;

/**
 * Deliveries that waited may have a key twice that is two events, because its window was over in
 * between. A statement decides once for each key, so those are stored one after the other.
 *
 * @returns parts in order, each for one statement
 */
export function splitRepeats<Delivery extends Event>(
  deliveries: readonly Delivery[],
): readonly (readonly Delivery[])[] {
  const parts: Delivery[][] = [[]];
  let firstAtMs = new Map<string, number>();
  for (const delivery of deliveries) {
    const keyed = [delivery, ...(delivery.events ?? [])].filter(hasWindow);
    if (keyed.some((event) => isOver(event, firstAtMs.get(toKey(event))))) {
      parts.push([]);
      firstAtMs = new Map();
    }
    for (const event of keyed)
      if (!firstAtMs.has(toKey(event))) firstAtMs.set(toKey(event), event.receivedAtMs);
    parts.at(-1)?.push(delivery);
  }
  return parts;
}

type Keyed = Event & { readonly keyHash: Uint8Array; readonly withinSeconds: number };

function hasWindow(event: Event): event is Keyed {
  return event.keyHash !== null && event.withinSeconds !== undefined;
}

function toKey({ hookId, keyHash }: Keyed): string {
  return toDedupeKey(hookId, keyHash);
}

/** @param firstAtMs when the first with its key was received. Undefined: there is none */
function isOver({ receivedAtMs, withinSeconds }: Keyed, firstAtMs = receivedAtMs): boolean {
  return Math.abs(receivedAtMs - firstAtMs) >= withinSeconds * 1_000;
}
