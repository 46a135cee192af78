import { globSync } from "node:fs";
import type { Thing } from "./api-rows.ts";
import { readPageText } from "./read-page-text.ts";

/** The files of the dashboard's pages, and of the frames around them. */
export const dashboardPages = globSync("app/(dashboard)/**/{page,layout}.tsx").toSorted();

/** A page as its folder below the dashboard, such as `hooks/[id]`. Home is empty. */
export function nameOfPage(path: string): string {
  return path.replace(/^app\/\(dashboard\)\/?/, "").replace(/\/?(page|layout)\.tsx$/, "");
}

/** Things by the first folder of the pages that show them. */
export function listThings(things: Readonly<Record<Thing, string>>) {
  return {
    actions: [things.action],
    backtests: [things.backtest],
    credentials: [things.credential],
    deliveries: [things.delivery],
    destinations: [things.destination],
    "event-types": [things.eventType],
    events: [things.event],
    hooks: [things.hook],
    problems: [things.problem],
    recipients: [things.recipient],
    subscriptions: [things.subscription],
  };
}

type Params = Readonly<Record<string, string>>;

/**
 * The names in a page's path, for each thing that it can show.
 *
 * @param ofNoun ids by the first folder of their pages
 */
export function listParams(
  name: string,
  ofNoun: Readonly<Record<string, readonly string[]>>,
): readonly Params[] {
  const [, noun = "", param] = /^([\w-]+)\/\[(\w+)\]/.exec(name) ?? [];
  if (param === undefined) return [{}];
  const ids = ofNoun[noun];
  if (ids === undefined) throw new Error(`Say which things app/(dashboard)/${name} shows`);
  return ids.map((id) => ({ [param]: id, number: "1", version: "first" }));
}

/** The text of a page for the browser whose cookie is set. Throws what the page throws. */
export async function openPage(
  path: string,
  params: Params,
  searchParams: Params = {},
): Promise<string> {
  const { default: Page } = await import(/* @vite-ignore */ `${process.cwd()}/${path}`);
  const props = { params: Promise.resolve(params), searchParams: Promise.resolve(searchParams) };
  const page = async () => await Page({ ...props, children: null });
  return await readPageText(page().catch(textOfRedirect));
}

function textOfRedirect(error: { digest?: string }): string {
  if (error.digest?.startsWith("NEXT_REDIRECT") === true) return error.digest;
  throw error;
}
