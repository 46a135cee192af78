import { safeText } from "#components/ui/text/safe-text.ts";

/** Writes "All events", or the event types and patterns of a subscription, one chip each. */
export function EventTypeList({ types }: { types: readonly string[] }) {
  if (isAll(types)) return <span className="text-sm">All events</span>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {types.map((type) => (
        <li
          key={type}
          className="rounded-md bg-muted px-2 py-0.5 font-mono text-xs leading-5 wrap-anywhere"
        >
          {safeText(type)}
        </li>
      ))}
    </ul>
  );
}

/** Writes "All events", "invoice.paid", or "invoice.paid and 3 more". */
export function summarizeTypes(types: readonly string[]): string {
  if (isAll(types)) return "All events";
  const [first = "", ...others] = types;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function isAll(types: readonly string[]): boolean {
  return types.length === 0 || types.includes("*");
}
