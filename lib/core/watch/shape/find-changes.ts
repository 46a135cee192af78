import type { LearnedShape } from "./learned-shape.ts";
import { type FieldType, readObjects, type SeenObject } from "./read-objects.ts";
import { isWithin, joinPath } from "./shape-path.ts";

type ShapeChange = {
  /** Such as `data.items[].price`. */
  readonly path: string;
  readonly change: "missing" | "type" | "new";
  /** The type that it had. Null: it is new. */
  readonly before: string | null;
  /** The type that it has. Null: it is missing. */
  readonly after: string | null;
};

/** A change, and the field of the learned shape. */
export type FieldChange = ShapeChange & { readonly object: string; readonly key: string };

/** A field that an action reads counts as certain after this many objects that had it. */
export const certainIfRead = 30;
/** Any other field is only worth a problem if it is most unlikely to be optional. */
const certainOtherwise = 300;
const maxChanges = 50;

/**
 * How a delivery differs from the learned ones. A field is missing if all objects before had it. A new
 * type is a change if the field always had others; null is none, because it is a value that a
 * provider can leave out. A new field is a change only in an object that always had the same
 * fields, or that lost one: where fields come and go, another one says nothing.
 */
export function findChanges(
  shape: LearnedShape,
  payload: unknown,
  readPaths: readonly string[],
): readonly FieldChange[] {
  const isRead = (path: string) => readPaths.some((read) => isWithin(read, path));
  const changes = new Map<string, FieldChange>();
  for (const object of readObjects(payload)) {
    for (const change of compareObject(shape, object, isRead)) {
      if (changes.size < maxChanges && !changes.has(change.path)) changes.set(change.path, change);
    }
  }
  return [...changes.values()];
}

function compareObject(
  shape: LearnedShape,
  object: SeenObject,
  isRead: (path: string) => boolean,
): readonly FieldChange[] {
  const known = Object.hasOwn(shape.objects, object.path) ? shape.objects[object.path] : undefined;
  const fields = known?.fields ?? null;
  if (known === undefined || fields === null) return [];
  const changes: FieldChange[] = [];
  for (const [key, { seen, types }] of Object.entries(fields)) {
    const path = joinPath(object.path, key);
    const field = { path, object: object.path, key };
    if (seen < (isRead(path) ? certainIfRead : certainOtherwise)) continue;
    const type = object.fields.get(key);
    if (type === undefined) {
      if (seen === known.seen)
        changes.push({ ...field, change: "missing", before: nameTypes(types), after: null });
    } else if (isOtherType(types, type))
      changes.push({ ...field, change: "type", before: nameTypes(types), after: type });
  }
  const isMissing = changes.some(({ change }) => change === "missing");
  const isFixed = Object.values(fields).every(({ seen }) => seen === known.seen);
  if (!isFixed || (!isMissing && known.steady < certainOtherwise)) return changes;
  const added = [...object.fields].filter(([key]) => !Object.hasOwn(fields, key));
  return [
    ...changes,
    ...added.map(([key, type]): FieldChange => {
      const field = { path: joinPath(object.path, key), object: object.path, key };
      return { ...field, change: "new", before: null, after: type };
    }),
  ];
}

function isOtherType(types: readonly FieldType[], type: FieldType): boolean {
  return type !== "null" && !types.includes(type) && types.some((known) => known !== "null");
}

function nameTypes(types: readonly FieldType[]): string {
  return types.toSorted().join(" or ");
}
