import { globSync, readFileSync } from "node:fs";

/** A service of `lib/services`, by the file and the name there. */
type ServiceName = `${string}:${string}`;

const imports = /import \{([^}]*)\} from "(#lib\/services\/[^"]+)"/g;

/** The services that a file imports, by the name that they have there. */
function readImports(text: string): ReadonlyMap<string, ServiceName> {
  const found = [...text.matchAll(imports)].flatMap(([, names = "", path]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name): [string, ServiceName] => {
        const [service = "", own = service] = name.split(" as ");
        return [own, `${path}:${service}`];
      }),
  );
  return new Map(found);
}

const readAll = (pattern: string) =>
  globSync(pattern)
    .filter((path) => !/\.test\.|\/testing\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const isRest = ({ path }: { readonly path: string }) => /\brest\.ts$/.test(path);

/** Calls of the API, by their operation, with the service of each. Null: another process serves it. */
export function readApi(): ReadonlyMap<string, ServiceName | null> {
  const calls = readAll("lib/web/**/*rest.ts").flatMap(({ text }) => {
    const known = readImports(text);
    return text.split(/\n {2}\w+\(\{\n/).flatMap((block): [string, ServiceName | null][] => {
      const [, operation] = /operationId: "(\w+)"/.exec(block) ?? [];
      const [, service = ""] = /\b(?:service|rows|source): (\w+)/.exec(block) ?? [];
      return operation === undefined ? [] : [[operation, known.get(service) ?? null]];
    });
  });
  return new Map(calls);
}

/** The services of the dashboard's pages and commands. Those of the portal are for other people. */
export function readDashboard(): ReadonlySet<ServiceName> {
  const files = [...readAll("lib/web/**/*.ts"), ...readAll("app/**/*.{ts,tsx}")].filter(
    (file) => !isRest(file) && !/\/(?:api|mcp|oauth|portal|route)\//.test(file.path),
  );
  return new Set(files.flatMap(({ text }) => [...readImports(text).values()]));
}

/** The services of the dashboard's commands: what people can do there, not what they see. */
export function readDashboardCommands(): ReadonlySet<ServiceName> {
  const files = readAll("lib/web/*/*commands.ts").filter(({ path }) => !path.includes("/portal/"));
  return new Set(files.flatMap(({ text }) => [...readImports(text).values()]));
}

/** The operations that the command line calls. */
export function readCommandLineCalls(): ReadonlySet<string> {
  const files = readAll("cli/src/**/*.ts");
  return new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/\bclient\s*\.(\w+)\(/g)].map(([, name = ""]) => name),
    ),
  );
}

/** The services of the tools for assistants. */
export function readTools(): ReadonlySet<ServiceName> {
  const files = readAll("lib/web/mcp/tools/*.ts");
  return new Set(files.flatMap(({ text }) => [...readImports(text).values()]));
}
