import { z } from "zod";
import type { Page } from "#lib/core/api/page.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/**
 * The form of a value in the API's responses: the result of `show`, and the schema that documents
 * it.
 */
export type View<Value, Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema;
  readonly show: (value: Value, context: ServiceContext) => z.output<Schema>;
};

export function view<Value, Schema extends z.ZodType>(
  schema: Schema,
  show: View<Value, Schema>["show"],
): View<Value, Schema> {
  return { schema, show };
}

/**
 * The fields of a value that the schema has, in its order. What a view computes is beside what it
 * takes over, and nothing else of a row leaves.
 */
export function pick<Schema extends z.ZodObject>(
  schema: Schema,
  value: z.output<Schema>,
): z.output<Schema> {
  const fields = Object.entries<unknown>(value);
  const values = new Map(fields);
  const names = Object.keys(schema.shape).filter((name) => values.has(name));
  return Object.fromEntries(names.map((name) => [name, values.get(name)])) as z.output<Schema>;
}

/** A value that is shown as the service returns it. */
export function asIs<Schema extends z.ZodType>(schema: Schema): View<z.output<Schema>, Schema> {
  return { schema, show: (value) => value };
}

/** A list, newest items first. */
export function pageView<Item, Schema extends z.ZodType>(item: View<Item, Schema>) {
  const schema = z.object({ data: z.array(item.schema), nextCursor: z.string().nullable() });
  return view(schema, ({ items, nextCursor }: Page<Item>, context) => ({
    data: items.map((each) => item.show(each, context)),
    nextCursor,
  }));
}
