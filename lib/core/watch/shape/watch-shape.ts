import { z } from "zod";
import { type FieldChange, findChanges } from "./find-changes.ts";
import {
  emptyShape,
  type LearnedShape,
  learnedShapeSchema,
  learnPayload,
} from "./learned-shape.ts";

const changeSchema = z.object({
  path: z.string(),
  change: z.enum(["missing", "type", "new"]),
  before: z.string().nullable(),
  after: z.string().nullable(),
  object: z.string(),
  key: z.string(),
});

/** The shape of one event type, and how the newest deliveries differ from it. Stored as JSON. */
export const watchedShapeSchema = z.object({
  learned: learnedShapeSchema,
  /** Null: they don't differ. Meanwhile, only deliveries without a difference are learned from. */
  difference: z
    .object({
      changes: z.array(changeSchema),
      /** Deliveries since the last one that differs. */
      sameSince: z.number(),
      /** Deliveries that differ. */
      count: z.number(),
    })
    .nullable(),
});
export type WatchedShape = z.output<typeof watchedShapeSchema>;

export const unknownShape: WatchedShape = { learned: emptyShape, difference: null };

/** After as many deliveries without a difference, it is over. */
const maxSame = 20;
/** More deliveries don't make a shape more certain. */
const maxLearned = 1_000;

type WatchStep = {
  readonly watched: WatchedShape;
  /** `differs`: a problem. `over`: its end. */
  readonly outcome: "same" | "differs" | "over";
};

/** Compares a delivery with the shape of its type, and learns from it. */
export function watchPayload(
  watched: WatchedShape,
  payload: unknown,
  readPaths: readonly string[],
): WatchStep {
  const { learned, difference } = watched;
  const changes = findChanges(learned, payload, readPaths);
  if (changes.length > 0) return differ(watched, changes);
  const isFull = learned.deliveries >= maxLearned;
  const next = isFull ? learned : learnPayload(learned, payload);
  if (difference === null)
    return { watched: isFull ? watched : { learned: next, difference }, outcome: "same" };
  const sameSince = difference.sameSince + 1;
  if (sameSince < maxSame) {
    const waiting = { learned: next, difference: { ...difference, sameSince } };
    return { watched: waiting, outcome: "same" };
  }
  return endWith(next, difference.changes);
}

function differ({ learned, difference }: WatchedShape, changes: readonly FieldChange[]): WatchStep {
  const known = new Map(difference?.changes.map((change) => [change.path, change]));
  for (const change of changes) known.set(change.path, change);
  const all = [...known.values()].slice(0, maxChanges);
  const count = (difference?.count ?? 0) + 1;
  // Fields that were only added break nothing. Soon they are usual.
  if (count >= maxSame && all.every(({ change }) => change === "new")) return endWith(learned, all);
  const watched = { learned, difference: { changes: all, sameSince: 0, count } };
  return { watched, outcome: "differs" };
}

const maxChanges = 50;

/** Fields that came and went are optional from now on, so that they open no other problem. */
function endWith(learned: LearnedShape, changes: readonly FieldChange[]): WatchStep {
  const objects = { ...learned.objects };
  for (const change of changes) {
    const object = Object.hasOwn(objects, change.object) ? objects[change.object] : undefined;
    if (object === undefined || object.fields === null) continue;
    const fields = { ...object.fields };
    const field = Object.hasOwn(fields, change.key) ? fields[change.key] : undefined;
    const types = new Set(field?.types);
    if (change.after !== null) types.add(change.after as never);
    const seen = change.change === "new" ? 1 : (field?.seen ?? 0);
    fields[change.key] = { seen: Math.min(seen, object.seen), types: [...types] };
    objects[change.object] = { ...object, seen: object.seen + 1, fields };
  }
  return { watched: { learned: { ...learned, objects }, difference: null }, outcome: "over" };
}
