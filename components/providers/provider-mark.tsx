import { classNames } from "#components/ui/class-names.ts";

/**
 * A provider's initials on its own color, the same everywhere. We don't use logos: they belong to
 * their owners.
 */
export function ProviderMark({
  id,
  name,
  isSmall = false,
}: {
  id: string;
  name: string;
  isSmall?: boolean;
}) {
  return (
    <span
      aria-hidden
      className={classNames(
        "inline-flex shrink-0 items-center justify-center rounded-md font-semibold tracking-tight",
        "bg-[color-mix(in_oklab,var(--mark)_var(--mark-ground),var(--card))] text-[color-mix(in_oklab,var(--mark)_var(--mark-letter),var(--foreground))]",
        isSmall ? "size-6 text-[0.6875rem]" : "size-9 text-sm",
        marks[hash(id) % marks.length],
      )}
    >
      {toLetters(id, name)}
    </span>
  );
}

const marks = [
  "[--mark:var(--mark-1)]",
  "[--mark:var(--mark-2)]",
  "[--mark:var(--mark-3)]",
  "[--mark:var(--mark-4)]",
  "[--mark:var(--mark-5)]",
  "[--mark:var(--mark-6)]",
  "[--mark:var(--mark-7)]",
  "[--mark:var(--mark-8)]",
];

/** Two letters: of the first two words, or the first two of one word. */
export function toLetters(id: string, name: string): string {
  if (id === "generic") return "✱";
  if (id === "custom") return "{ }";
  const words = name
    .replace(/\(.*\)/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const [first = "?", second] = words;
  if (second === undefined)
    return `${first.slice(0, 1).toUpperCase()}${first.slice(1, 2).toLowerCase()}`;
  return `${first.slice(0, 1)}${second.slice(0, 1)}`.toUpperCase();
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return value;
}
