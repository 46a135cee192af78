/** Joins class names. Components in `ui/` put the caller's classes last. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
