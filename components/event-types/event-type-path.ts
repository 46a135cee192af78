// Not in a component's file: those of the browser can't be called on the server.
export function eventTypePath(name: string): string {
  return `/event-types/${encodeURIComponent(name)}`;
}

export function versionPath(name: string, version: string): string {
  return `${eventTypePath(name)}/versions/${encodeURIComponent(version)}`;
}
