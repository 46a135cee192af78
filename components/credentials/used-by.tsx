import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type UsedByProps = {
  readonly uses: readonly {
    readonly href: string;
    readonly name: string;
    /** The thing that contains it, such as the name of its hook. */
    readonly of: string;
  }[];
  readonly empty: string;
};

/** A list of everything that must change before it can be deleted. */
export function UsedBy({ uses, empty }: UsedByProps) {
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="used-by">
      <h2 id="used-by" className="text-lg font-semibold tracking-tight">
        Used by
      </h2>
      {uses.length === 0 ? (
        <p className="text-sm text-muted-foreground">{empty}</p>
      ) : (
        <Card>
          <ul className="divide-y text-sm">
            {uses.map(({ href, name, of }) => (
              <li key={href} className="flex min-w-0 items-baseline gap-3 px-4 py-2.5">
                <Link
                  href={href}
                  className="truncate font-medium underline-offset-4 hover:underline"
                >
                  {safeText(name)}
                </Link>
                <span className="ml-auto shrink-0 text-muted-foreground">{safeText(of)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
