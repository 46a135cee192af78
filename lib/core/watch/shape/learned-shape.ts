import { z } from "zod";
import { type FieldType, readObjects, type SeenObject } from "./read-objects.ts";

const fieldType = z.enum(["text", "number", "boolean", "object", "list", "null"]);
const learnedField = z.object({ seen: z.number(), types: z.array(fieldType) });
const learnedObject = z.object({
  /** How many of these objects were seen, and how many since a field was first seen. */
  seen: z.number(),
  steady: z.number(),
  /** Null: its names are data, such as ids, so they aren't learned. */
  fields: z.record(z.string(), learnedField).nullable(),
});

/** The fields of the accepted deliveries of one event type. Stored as JSON. */
export const learnedShapeSchema = z.object({
  deliveries: z.number(),
  objects: z.record(z.string(), learnedObject),
});
export type LearnedShape = z.output<typeof learnedShapeSchema>;
type LearnedObject = z.output<typeof learnedObject>;

export const emptyShape: LearnedShape = { deliveries: 0, objects: {} };

/** An object with more different names than this has data as names. */
const maxFields = 150;
const maxObjects = 400;
const maxTotalFields = 2_000;

/** Adds what a delivery contains. */
export function learnPayload(shape: LearnedShape, payload: unknown): LearnedShape {
  const objects: Record<string, LearnedObject> = { ...shape.objects };
  let room = maxTotalFields - countFields(shape);
  for (const seen of readObjects(payload)) {
    const known = Object.hasOwn(objects, seen.path) ? objects[seen.path] : undefined;
    if (known === undefined && Object.keys(objects).length >= maxObjects) continue;
    const learned = learnObject(known, seen);
    const added =
      Object.keys(learned.fields ?? {}).length - Object.keys(known?.fields ?? {}).length;
    if (added > room) continue;
    room -= added;
    objects[seen.path] = learned;
  }
  return { deliveries: shape.deliveries + 1, objects };
}

function learnObject(known: LearnedObject | undefined, { fields }: SeenObject): LearnedObject {
  if (known?.fields === null) return { ...known, seen: known.seen + 1 };
  const learned: Record<string, { seen: number; types: FieldType[] }> = { ...known?.fields };
  let isNew = known === undefined;
  for (const [key, type] of fields) {
    const field = Object.hasOwn(learned, key) ? learned[key] : undefined;
    if (field === undefined) isNew = true;
    const types = field?.types ?? [];
    learned[key] = {
      seen: (field?.seen ?? 0) + 1,
      types: types.includes(type) ? types : [...types, type],
    };
  }
  const seen = (known?.seen ?? 0) + 1;
  const steady = isNew ? 0 : (known?.steady ?? 0) + 1;
  return { seen, steady, fields: Object.keys(learned).length > maxFields ? null : learned };
}

function countFields({ objects }: LearnedShape): number {
  return Object.values(objects).reduce(
    (sum, { fields }) => sum + Object.keys(fields ?? {}).length,
    0,
  );
}
