import { isDeepStrictEqual } from "node:util";
import {
  type ActionFilter,
  type FilterPart,
  readFilterGroup,
} from "#lib/schema/act/action-filter.ts";
import { type PathStep, readSteps } from "#lib/schema/field/value-path.ts";

/**
 * The texts of a value with which a filter can match. Null: it also matches with others, or it isn't known.
 *
 * @param places the paths of the value
 */
export function findNeededValues(
  filter: ActionFilter | null,
  places: readonly (readonly PathStep[])[],
): readonly string[] | null {
  if (filter === null) return null;
  const { group, parts } = readFilterGroup(filter);
  if (group === "none") return null;
  const ofParts = parts.map((part) => ofPart(part, places));
  const known = ofParts.filter((values) => values !== null);
  if (group === "any") return known.length < ofParts.length ? null : [...new Set(known.flat())];
  const [first, ...others] = known;
  return first?.filter((value) => others.every((values) => values.includes(value))) ?? null;
}

function ofPart(
  part: FilterPart,
  places: readonly (readonly PathStep[])[],
): readonly string[] | null {
  if (!("path" in part)) return findNeededValues(part, places);
  const steps = readSteps(part.path);
  if (!places.some((place) => isDeepStrictEqual(place, steps))) return null;
  if (part.op === "equals") return typeof part.value === "string" ? [part.value] : [];
  return part.op === "in" ? part.value.filter((value) => typeof value === "string") : null;
}
