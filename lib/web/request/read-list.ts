import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { Page } from "#lib/core/api/page.ts";
import type { Service, ServiceContext } from "#lib/services/frame/service.ts";
import { pageLinks, readListQuery, type SearchParams } from "./list-query.ts";

const pageSize = "50";

/** Any service that lists, with the query of the API's list. */
export type ListService<Schema extends z.ZodType<object>, Item> = Service<Schema, Page<Item>>;

type ListPage<Name extends string> = {
  /** The path of the page. */
  readonly path: string;
  /** The filters that its URL may have, without those of time. */
  readonly names: readonly Name[];
  readonly params: SearchParams;
  /** The filter that the list always has. */
  readonly fixed?: Readonly<Record<string, string>>;
};

/**
 * A page of a list for a URL, by the service that the API's list has. An invalid filter or cursor
 * is a problem of its field, and nothing is listed then.
 */
export async function readList<Name extends string, Schema extends z.ZodType<object>, Item>(
  context: ServiceContext,
  service: ListService<Schema, Item>,
  { path, names, params, fixed = {} }: ListPage<Name>,
) {
  const nowMs = context.now().getTime();
  const query = readListQuery(params, { names, schema: service.input, nowMs });
  const { values, problems, asked, cursor } = query;
  const page = await readPage(problems, () => {
    const input = { ...asked, ...fixed, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    // The service parses its input, whatever it is.
    return service(context, input as z.input<Schema>);
  });
  return {
    nowMs,
    query,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    items: page.items,
    links: pageLinks(path, query, page.nextCursor),
  };
}

/**
 * Reads a page of a list, or nothing for an invalid filter. The cursor in a URL may be invalid too.
 */
export async function readPage<Item>(
  problems: Readonly<Record<string, string>>,
  read: () => Promise<Page<Item>>,
): Promise<Page<Item> & { readonly problem: string | null }> {
  const nothing = { items: [], nextCursor: null };
  if (Object.keys(problems).length > 0) return { ...nothing, problem: null };
  try {
    return { ...(await read()), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}
