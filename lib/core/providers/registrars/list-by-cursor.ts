import { isJsonObject, type JsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { readObjects } from "./read-json.ts";
import { type Found, maxPages, type Pair, type Talk, unexpected } from "./registrar.ts";

type CursorList = {
  readonly path: string;
  /** The same for every page. */
  readonly query: readonly Pair[];
  /** The name of the parameter with the cursor. */
  readonly cursor: string;
  /** The list in a response. */
  readonly itemsOf: (json: JsonObject) => JsonValue | undefined;
  /** Null: it isn't as documented, or of a kind that isn't ours. */
  readonly readItem: (item: JsonObject) => Found | null;
  /** True if items that can't be read are of a kind that isn't ours. Otherwise they are unexpected. */
  readonly hasOthers?: boolean;
  /** The cursor of the next page. Null: this is the last one. */
  readonly nextOf: (json: JsonObject, items: readonly JsonObject[]) => string | null;
};

/** Lists webhooks page by page, each of which says where the next one begins. */
export function* listByCursor(list: CursorList): Talk<readonly Found[]> {
  const { path, cursor, itemsOf, readItem, hasOthers = false, nextOf } = list;
  const found: Found[] = [];
  let next: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: readonly Pair[] = next === null ? list.query : [...list.query, [cursor, next]];
    const { json } = yield { method: "GET", path, query };
    const items = isJsonObject(json) ? readObjects(itemsOf(json)) : null;
    if (!isJsonObject(json) || items === null) return unexpected;
    const read = items.map(readItem).filter((item) => item !== null);
    if (!hasOthers && read.length < items.length) return unexpected;
    found.push(...read);
    next = nextOf(json, items);
    if (next === null) break;
  }
  return found;
}
