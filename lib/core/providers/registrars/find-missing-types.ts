import { findNeededValues } from "#lib/core/mapping/filter/find-needed-values.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { type PathStep, readSteps } from "#lib/schema/field/value-path.ts";
import type { EventTypeSource } from "#lib/schema/receive/event-rules.ts";
import { findRegistrar } from "./find-registrar.ts";

const all = "*";

/**
 * The event types that filters of actions name, and that a webhook doesn't have. A type that the provider's API can't
 * register isn't missing.
 *
 * @param registered the types that the webhook has, and those that it is to have
 */
export function findMissingTypes(
  provider: string,
  filters: readonly (ActionFilter | null)[],
  registered: readonly string[],
): readonly string[] {
  const registrar = findRegistrar(provider);
  const known = new Set(registered.map((type) => registrar?.toType(type) ?? type));
  if (registrar === null || known.has(all)) return [];
  const places = findTypePlaces(provider);
  const missing = new Map<string, string>();
  for (const type of filters.flatMap((filter) => findNeededValues(filter, places) ?? [])) {
    const listed = registrar.toType(type);
    if (listed !== null && !known.has(listed)) missing.set(listed, type);
  }
  return [...missing.values()].toSorted();
}

/** The names by which filters read the type of an event. */
function findTypePlaces(provider: string): readonly (readonly PathStep[])[] {
  const sources = findProvider(provider)?.eventType ?? [];
  return [["delivery", "eventType"], ...sources.flatMap(toPlaces)];
}

/** The names `id`, `type`, and `data` are those of the payload. */
function toPlaces(source: EventTypeSource): readonly (readonly PathStep[])[] {
  if (source.from === "header") return [["headers", source.name]];
  if (source.from !== "body") return [];
  const steps = readSteps(source.path);
  return [["payload", ...steps], ...(isTopLevel(steps[0]) ? [steps] : [])];
}

function isTopLevel(name: PathStep | undefined): boolean {
  return name === "id" || name === "type" || name === "data";
}
