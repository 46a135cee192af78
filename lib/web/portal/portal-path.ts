/** The token in the path of a portal page, or null elsewhere. It may be unknown. */
export function readPortalToken(pathname: string): string | null {
  return /^\/portal\/([^/]+)/.exec(pathname)?.[1] ?? null;
}
