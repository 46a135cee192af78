import { z } from "zod";
import type { Page } from "#lib/core/api/page.ts";
import { parseInput } from "#lib/core/api/parse-input.ts";
import { type ApiPermission, scopeOf } from "#lib/schema/account/permissions.ts";
import { maxPageSize } from "#lib/schema/field/common.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import type { Service, ServiceContext } from "#lib/services/frame/service.ts";
import type { Call, Route, ServedRoute } from "./route.ts";
import { listColumns, type Row, RowSource } from "./row-source.ts";
import type { View } from "./view.ts";

type ListInput = z.ZodObject;

type ExportOptions<Schema extends ListInput, Item> = Pick<
  Route,
  "operationId" | "summary" | "methodHint"
> & {
  /** The path of the list. */
  readonly list: string;
  readonly service: Service<Schema, Page<Item>, ApiPermission>;
  readonly view: View<Item>;
};

/** A call that streams a whole list: its service, page by page, with its permission and filters. */
export function exportRoute<Schema extends ListInput, Item>({
  list,
  service,
  view,
  ...words
}: ExportOptions<Schema, Item>): ServedRoute {
  const { limit: _limit, cursor: _cursor, ...filters } = service.input.shape;
  const input = z.strictObject(filters);
  return {
    ...words,
    method: "GET",
    path: `${list}/export`,
    description: "The filters of the list, as CSV or NDJSON. See [Export](../api.md#export).",
    status: 200,
    maxBodyBytes: 0,
    exactNumbers: false,
    permission: service.permission,
    scope: scopeOf(service.permission),
    input,
    response: view.schema,
    isStreamed: true,
    handle: async (context, given) => {
      parseInput(input, given);
      const read = (cursor?: string) => {
        const page = { limit: String(maxPageSize), ...(cursor === undefined ? {} : { cursor }) };
        // The service parses its input, whatever it is.
        return service(context, { ...(given as object), ...page } as z.input<Schema>);
      };
      // The first page is read here, so that an invalid filter is a 400.
      const first = await read();
      await recordExport(context, list, given as object);
      const pages = readPages(first, read, (item) => view.show(item, context) as Row);
      return new RowSource(listColumns(view.schema), pages);
    },
  };
}

/** An export takes data out of the account, so the audit log says who made it, and with which filters. */
async function recordExport(context: ServiceContext, list: string, filters: object): Promise<void> {
  const name = list.slice(1);
  const event = `${name.replaceAll("-", "_")}.exported`;
  const targets = [{ type: "export", id: name }];
  await auditWithoutChange(context, { event, targets, before: {}, after: filters });
}

/** The rows of an export. */
export async function exportRows(
  route: ServedRoute,
  context: ServiceContext,
  input: unknown,
  call: Call,
): Promise<RowSource> {
  const rows = await route.handle(context, input, call);
  if (rows instanceof RowSource) return rows;
  throw new Error(`${route.path} is not an export`);
}

async function* readPages<Item>(
  first: Page<Item>,
  read: (cursor: string) => Promise<Page<Item>>,
  show: (item: Item) => Row,
): AsyncGenerator<readonly Row[], void> {
  let page = first;
  while (true) {
    yield page.items.map(show);
    if (page.nextCursor === null) return;
    page = await read(page.nextCursor);
  }
}
