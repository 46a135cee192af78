import type { Metadata } from "next";
import { safeText } from "#components/ui/text/safe-text.ts";
import { shorten } from "#lib/base/shorten.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";

/**
 * The limit for a title. Names have up to 200 characters, but no tab or history shows that many.
 */
const longest = 80;

type Titled = {
  /** The title of the thing's part: "Payments · Settings". */
  readonly part?: string;
  /** If reading the name fails, the page itself reports why. */
  readonly otherwise: string;
};

/** Titles a tab with the thing's name, so that tabs can be told apart. */
export async function titleByName(
  params: Promise<{ readonly id: string }>,
  readNamed: (context: ServiceContext, id: string) => Promise<{ readonly name: string }>,
  { part, otherwise }: Titled,
): Promise<Metadata> {
  if ((await readSession()) === null) return { title: otherwise };
  const { id } = await params;
  const named = await readNamed(await pageContext(), id).catch(() => null);
  if (named === null) return { title: otherwise };
  return {
    title: [safeText(shorten(named.name, longest)), ...(part === undefined ? [] : [part])].join(
      " · ",
    ),
  };
}
