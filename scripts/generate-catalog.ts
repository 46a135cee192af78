/**
 * Writes the two indexes of the catalog from the files in `lib/core/providers`: one file is one
 * provider.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const providersFolder = "lib/core/providers";
const providerIndexFile = "lib/core/providers/catalog/provider-index.ts";
const sampleIndexFile = "lib/core/providers/samples/sample-index.ts";

type Generated = { readonly path: string; readonly text: string };

/** @param root the project's folder */
export function generateCatalog(root: string): readonly Generated[] {
  const files = readdirSync(join(root, providersFolder)).filter((file) => file.endsWith(".ts"));
  const ids = files
    .filter((file) => !/\.(samples|test)\.ts$/.test(file))
    .map((file) => file.slice(0, -3));
  const sampled = files
    .filter((file) => file.endsWith(".samples.ts"))
    .map((file) => file.slice(0, -11));
  return [
    { path: providerIndexFile, text: renderProviderIndex(ids.toSorted()) },
    { path: sampleIndexFile, text: renderSampleIndex(sampled.toSorted()) },
  ];
}

/** Generated files that are out of date. */
export function findStale(root: string): readonly string[] {
  const stale = generateCatalog(root).filter(
    ({ path, text }) => readFileSync(join(root, path), "utf8") !== text,
  );
  return stale.map(({ path }) => path);
}

/** `aws-sns` is exported as `awsSns`. */
export function toExportName(id: string): string {
  return id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const note =
  "// biome-ignore-all lint/style/noExcessiveLinesPerFile: it has a line for each provider\n" +
  "/** Generated from lib/core/providers by `npm run generate`. Don't edit it. */\n\n";

function renderProviderIndex(ids: readonly string[]): string {
  const imports = ids.map(
    (id) => `import { ${toExportName(id)} } from "#lib/core/providers/${id}.ts";\n`,
  );
  const entries = ids.map((id) => `  ${toExportName(id)},\n`);
  const type = 'import type { Provider } from "#lib/core/providers/shapes/provider.ts";\n';
  const body = `export const providerIndex: readonly Provider[] = [\n${entries.join("")}];\n`;
  return `${note}${sortImports([...imports, type])}\n${body}`;
}

/** Not every provider has sample events. */
function renderSampleIndex(ids: readonly string[]): string {
  const imports = ids.map(
    (id) => `import { ${toExportName(id)}Samples } from "#lib/core/providers/${id}.samples.ts";\n`,
  );
  const entries = ids.map((id) => `  ["${id}", ${toExportName(id)}Samples],\n`);
  const type = 'import type { SampleEvents } from "#lib/core/providers/shapes/sample-event.ts";\n';
  const body =
    "export const sampleIndex: ReadonlyMap<string, SampleEvents> = " +
    `new Map([\n${entries.join("")}]);\n`;
  return `${note}${sortImports([...imports, type])}\n${body}`;
}

/** Sorts the imports by path, as Biome does. */
function sortImports(lines: readonly string[]): string {
  return lines.toSorted((one, other) => compare(pathOf(one), pathOf(other))).join("");
}

function pathOf(line: string): string {
  return /"(.*?)(?:\.samples)?\.ts"/.exec(line)?.[1] ?? line;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

if (import.meta.main) {
  for (const { path, text } of generateCatalog(".")) writeFileSync(path, text);
}
