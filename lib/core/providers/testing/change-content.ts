/** Sets values in the content of a sample: in its headers, its JSON or form, or an element of its XML. */

import { setPath } from "#lib/core/providers/samples/draft.ts";
import { inBody, inHeader } from "#lib/core/providers/shapes/places.ts";
import type { SampleContent } from "#lib/core/providers/shapes/sample-event.ts";
import { readPath } from "#lib/core/verify/dedupe/body-path.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";

export type Place = ReturnType<typeof inBody> | ReturnType<typeof inHeader>;
export type Change = readonly [place: Place, value: string];

export function nameOf(place: Place): string {
  return place.from === "header" ? `header ${place.name}` : place.path;
}

/** The place with this name. */
export function toPlace(name: string): Place {
  return name.startsWith("header ") ? inHeader(name.slice(7)) : inBody(name);
}

export function isSame(one: Place, other: Place): boolean {
  return nameOf(one) === nameOf(other);
}

export function hasValue(content: SampleContent, place: Place): boolean {
  if (place.from === "header") return content.headers?.[place.name] !== undefined;
  if ("json" in content) return readPath(content.json, place.path) !== undefined;
  if ("form" in content) return Object.hasOwn(content.form, place.path);
  return content.xml.includes(`<${elementOf(place.path)}>`);
}

/** The content with other values. What is missing on the way to one is added, except in XML. */
export function change(content: SampleContent, changes: readonly Change[]): SampleContent {
  const changed = { ...structuredClone(content), headers: { ...content.headers } };
  for (const [place, value] of changes) {
    if (place.from === "header") changed.headers[place.name] = value;
    else if ("xml" in changed)
      Object.assign(changed, { xml: setElement(changed.xml, place, value) });
    else setPath(changed, ["json" in changed ? "json" : "form", ...readSteps(place.path)], value);
  }
  return changed;
}

function setElement(xml: string, { path }: ReturnType<typeof inBody>, value: string): string {
  const name = elementOf(path);
  return xml.replace(new RegExp(`<${name}>.*?</${name}>`, "s"), `<${name}>${value}</${name}>`);
}

function elementOf(path: string): string {
  return String(readSteps(path).at(-1));
}
