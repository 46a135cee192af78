import type { Route } from "./route.ts";

export type Params = Readonly<Record<string, string>>;
type FoundPath = {
  /** The calls of the path, one per method. */
  readonly routes: readonly Route[];
  /** The path's parameters: decoded, but not parsed. */
  readonly params: Params;
};

/**
 * The calls at a path below `/api/v1`, or null. A path with fewer names comes first, so that
 * `/events/batch` is not the event `batch`.
 */
export function findPath(routes: readonly Route[], path: string): FoundPath | null {
  const segments = path.split("/");
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path.split("/"), segments);
    return params === null ? [] : [{ route, params }];
  });
  const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length));
  const best = matches.filter(({ params }) => Object.keys(params).length === fewest);
  const [first] = best;
  return first === undefined
    ? null
    : { routes: best.map(({ route }) => route), params: first.params };
}

function matchPath(pattern: readonly string[], segments: readonly string[]): Params | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== segment) return null;
    if (name === undefined) continue;
    const value = decode(segment);
    if (value === null || value === "") return null;
    params[name] = value;
  }
  return params;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
