import { z } from "zod";
import type { Route } from "#lib/web/route/route.ts";
import type { nouns } from "./routes.ts";

/** The calls of a page of `docs/api/`, as the rows of its table. */
export function describeCalls(routes: readonly Route[]): string {
  const rows = routes.map((route) =>
    [
      `\`${route.method} ${route.path}\``,
      `\`${route.scope}\``,
      effectOf(route),
      returnsOf(route),
    ].join(" | "),
  );
  return [
    "| call | scope | effect | returns |",
    "|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

/** All calls, as the rows of the table in `docs/api.md`. Each links to its place on the page of its noun. */
export function listCalls(of: typeof nouns): string {
  const rows = of.flatMap(({ name, routes }) =>
    routes.map(({ method, path, operationId, summary, scope }) => {
      const link = `[\`${method} ${path}\`](${pageOfNoun(name)}.md#${operationId})`;
      return `| ${link} | ${summary} | \`${scope}\` |`;
    }),
  );
  return ["| call | effect | scope |", "|---|---|---|", ...rows].join("\n");
}

/** The name of the page that has the calls of a noun: `api/event-types`. */
export function pageOfNoun(noun: string): string {
  return `api/${noun.toLowerCase().replaceAll(" ", "-")}`;
}

/** The maximum number of fields to name. More have a table of their own. */
const maxNamed = 7;

function effectOf(route: Route): string {
  const { summary, description = "", path } = route;
  const { properties = {}, required = [] } = z.toJSONSchema(route.input, {
    io: "input",
    unrepresentable: "any",
  });
  const names = Object.keys(properties).filter(
    (name) => !path.includes(`{${name}}`) && name !== "limit" && name !== "cursor",
  );
  const takes = names.map((name) => (required.includes(name) ? name : `${name}?`)).join(", ");
  const isShort = names.length > 0 && names.length <= maxNamed && route.method !== "GET";
  return [`${summary}.`, description, isShort ? `Takes \`{${takes}}\`.` : ""]
    .filter(Boolean)
    .join(" ");
}

function returnsOf({ response, status, isStreamed }: Route): string {
  if (isStreamed === true) return `${status}, rows${nameOf(response, " of ")}`;
  if (response === null) return `${status}`;
  const fields = response instanceof z.ZodObject ? response.shape : {};
  if (fields.data instanceof z.ZodArray)
    return `${status}, a list${nameOf(fields.data.element, " of ")}`;
  const names = Object.keys(fields);
  const isShort = names.length > 0 && names.length <= maxNamed;
  return `${status}${isShort ? `, \`{${names.join(", ")}}\`` : nameOf(response, ", ")}`;
}

/** The name of the schema in the docs: a new or changed Hook is a Hook. */
function nameOf(schema: unknown, before: string): string {
  const id = schema instanceof z.ZodType ? schema.meta()?.id : undefined;
  return id === undefined ? "" : `${before}${id.replace(/^(New|Changed|Whole)(?=[A-Z])/, "")}`;
}
