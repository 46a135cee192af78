/**
 * `npm run new:provider <id>` writes the two files of a provider, with empty texts, and lists them
 * in the indexes. `npm run check` fails until they are filled in.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateCatalog, providersFolder, toExportName } from "./generate-catalog.ts";

/** The paths of the written files, or an error message. */
export function writeNewProvider(root: string, id: string): readonly string[] | string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    return "The id must consist of lower-case letters, digits, and hyphens, such as acme-pay.";
  const path = join(providersFolder, `${id}.ts`);
  if (existsSync(join(root, path))) return `${path} already exists.`;
  const samplesPath = join(providersFolder, `${id}.samples.ts`);
  writeFileSync(join(root, path), renderProvider(id));
  writeFileSync(join(root, samplesPath), renderSamples(id));
  for (const { path: index, text } of generateCatalog(root)) writeFileSync(join(root, index), text);
  return [path, samplesPath];
}

function renderProvider(id: string): string {
  return `import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const ${toExportName(id)}: Provider = {
  id: "${id}",
  name: "",
  scheme: bodyMac(""),
  eventId: [inBody("")],
  identity: { why: "", source: "" },
  eventType: [inBody("")],
  secretHelp: "",
  whereToPaste: "",
  docsUrl: "",
  proof: { describedBy: "provider" },
};
`;
}

function renderSamples(id: string): string {
  return `import type { SampleEvents } from "./shapes/sample-event.ts";

export const ${toExportName(id)}Samples: SampleEvents = [
  { type: "", make: (fresh) => ({ json: { id: fresh.uuid() } }) },
];
`;
}

if (import.meta.main) {
  const written = writeNewProvider(".", process.argv[2] ?? "");
  if (typeof written === "string") {
    process.stderr.write(`${written}\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`Fill in:\n${written.map((path) => `  ${path}\n`).join("")}`);
    process.stdout.write(
      `${providersFolder}/shapes has the usual schemes, handshakes, and batches.\nThen run ` +
        "npm run generate, which writes docs/providers.md, and npm run check.\n",
    );
  }
}
