import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Folders that do what a person or a program of an account asks for. */
const folders = "{app,components,lib/{services,web,live,evaluate,event-schemas}}";

/**
 * The functions of `lib/db` that a call of a person can reach, such as `lib/db/hooks/hooks.ts#getHook`.
 * The others are for catch, publish, workers, jobs, and the operator, who work for all accounts.
 */
export function findReachedByPeople(): ReadonlySet<string> {
  const callers = read(`${folders}/**/*.{ts,tsx}`);
  const called = new Map(read("lib/db/**/*.ts").flatMap(readCalls));
  const reached = new Set(callers.flatMap(([path, text]) => [...importsOf(path, text).values()]));
  for (const name of reached) for (const next of called.get(name) ?? []) reached.add(next);
  return reached;
}

type File = readonly [path: string, text: string];

function read(pattern: string): File[] {
  return globSync(pattern)
    .filter((path) => !/\/generated\/|\/testing\/|\.test\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(path, "utf8")]);
}

/** The names that a file takes from `lib/db`, and the functions that they are. */
function importsOf(path: string, text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, names = "", from = ""] of text.matchAll(
    /^(?:im|ex)port \{([^}]*)\} from "(.*)"/gm,
  )) {
    const target = from.replace("#", "").replace(/^\./, `${posix.dirname(path)}/.`);
    if (!posix.normalize(target).startsWith("lib/db/")) continue;
    for (const each of names.split(",").map((name) => name.trim())) {
      const [name = "", alias = name] = each.replace(/^type /, "").split(" as ");
      if (name !== "") found.set(alias, `${posix.normalize(target)}#${name}`);
    }
  }
  return found;
}

/** The functions and constants at the top of a file, and those of `lib/db` that each one names. */
function readCalls([path, text]: File): (readonly [string, readonly string[]])[] {
  const imports = importsOf(path, text);
  const parts = text.split(/^(?=(?:export )?(?:async )?(?:function\*?|const|class) \w)/m).slice(1);
  const named = parts.map((part) => {
    const name = /(?:function\*?|const|class) (\w+)/.exec(part)?.[1] ?? "";
    return [name, part] as const;
  });
  for (const [name] of named) imports.set(name, `${path}#${name}`);
  return named.map(([name, part]) => {
    const words = new Set(part.match(/\w+/g));
    return [`${path}#${name}`, [...words].flatMap((word) => imports.get(word) ?? [])] as const;
  });
}
