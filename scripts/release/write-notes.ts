import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Named } from "./named.ts";

/** The notes of a release: how to get it, and its part of the changelog. */
export function writeNotes({ checkout, out, registry, version }: Named): void {
  const changes = takeChanges(readFileSync(join(checkout, "CHANGELOG.md"), "utf8"), version);
  const notes = `# Catchment ${version}

| | |
|---|---|
| Image | \`${registry}/catchment:${version}\` for amd64 and arm64 |
| Compose | \`docker compose up -d\` beside the \`compose.yaml\` of this release |
| Chart | \`helm install hooks oci://${registry}/charts/catchment --version ${version} --set publicUrl=https://…\` |
| Without a registry | \`docker load --input catchment-${version}-linux-amd64.tar.gz\` |

${changes}`;
  writeFileSync(join(out, "notes.md"), notes);
}

/** The section of a version, or what isn't released yet. Links lead into the repository, at the version. */
export function takeChanges(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const titled = (title: string) => sections.find((section) => section.startsWith(`## ${title}`));
  const section = titled(version) ?? titled("Unreleased");
  if (section === undefined) throw new Error(`CHANGELOG.md has no "## ${version}".`);
  return section
    .slice(section.indexOf("\n") + 1)
    .trim()
    .replaceAll(/^###/gm, "##")
    .concat("\n");
}
