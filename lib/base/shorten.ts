/** At most `maxChars` UTF-16 units of a text. What is left out shows as "…", and no character is halved. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
