import type { ShownCall } from "#lib/schema/shown-call.ts";

/** The calls of a page, each with a link to its place. */
export function CallIndex({ calls }: { calls: readonly ShownCall[] }) {
  return (
    <nav aria-label="Calls" className="overflow-hidden rounded-md border text-sm">
      <ul className="divide-y">
        {calls.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="grid items-baseline gap-x-3 px-3 py-1.5 hover:bg-muted sm:grid-cols-2"
            >
              <span className="flex min-w-0 gap-2 break-words">
                <span className={`method method-${method}`}>{method}</span>
                <code className="min-w-0 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
                  {path}
                </code>
              </span>
              <span className="pl-16 text-muted-foreground sm:pl-0">{summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
