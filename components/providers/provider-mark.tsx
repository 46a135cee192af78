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
      className={classNames("mark", isSmall && "mark-small")}
      data-hue={(hash(id) % hues) + 1}
    >
      {toLetters(id, name)}
    </span>
  );
}

const hues = 8;

/** Two letters: the initials of the first two words, or the start of a single word. */
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
