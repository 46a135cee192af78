import type { Metadata } from "next";
import { safeText } from "#components/ui/safe-text.ts";
import { readSession } from "#lib/web/auth/session.ts";

/** Of 200 that a name may have: more no tab and no history shows. */
const longest = 80;

type Titled = {
  /** Which page of it, where the page is more than that: "Payments · Settings". */
  readonly part?: string;
  /** Where the name can't be read; why that is the page itself finds, and says. */
  readonly otherwise: string;
};

/** What a tab that shows one thing is called: its name, so that several can be told apart. */
export async function titleByName(
  params: Promise<{ readonly id: string }>,
  readNamed: (accountId: string, id: string) => Promise<{ readonly name: string }>,
  { part, otherwise }: Titled,
): Promise<Metadata> {
  const session = await readSession();
  if (session === null) return { title: otherwise };
  const { id } = await params;
  const named = await readNamed(session.accountId, id).catch(() => null);
  if (named === null) return { title: otherwise };
  const letters = [...named.name];
  const name = letters.length > longest ? `${letters.slice(0, longest).join("")}…` : named.name;
  return { title: [safeText(name), ...(part === undefined ? [] : [part])].join(" · ") };
}
