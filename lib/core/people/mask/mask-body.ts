import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
import { enterName, isMasked, type MaskState } from "./mask-state.ts";
import { maskDocument, maskForm, maskValueText } from "./mask-text.ts";

/** A body, of which nothing may be shown. */
const maskedBody = new TextEncoder().encode(maskText);

/** True if all of a body was masked, because its fields can't be told apart. */
export function isWhollyMasked(body: Uint8Array): boolean {
  return Buffer.compare(body, maskedBody) === 0;
}

/**
 * Masks the fields of a body. One that is neither JSON, XML, nor a form, is compressed or cut, or repeats a
 * name, is masked as a whole.
 */
export function maskBody(body: Uint8Array, state: MaskState): Uint8Array {
  const text = readUtf8(body);
  // Text with zeros is UTF-16 or binary, in which no field is found.
  const shown = text === null || text.includes("\0") ? null : maskDocument(text, state);
  if (shown === null) return maskedBody;
  return shown === text ? body : new TextEncoder().encode(shown);
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** A field masks headers by their name, alone or after `headers`. */
export function maskHeaders(pairs: Pairs, state: MaskState): Pairs {
  return pairs.map(([name, value]) => [name, maskNamed(name, value, "headers", state)]);
}

/** A field masks the values of a query by their name, alone or after `query`. */
export function maskQuery(query: string, state: MaskState): string {
  if (query === "") return query;
  const inQuery = maskForm(query, enterName(state, "query"));
  const shown = inQuery === null ? null : maskForm(inQuery, state);
  return shown ?? maskText;
}

function maskNamed(name: string, value: string, place: string, state: MaskState): string {
  const states = [enterName(state, name), enterName(enterName(state, place), name)];
  if (states.some(isMasked)) return maskText;
  return states.reduce((shown, each) => maskValueText(shown, each), value);
}
