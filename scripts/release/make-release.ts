import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBaseImages, type Processor } from "../image/base-images.ts";
import type { Tools } from "../image/tools.ts";
import { archiveImages, buildImages, pushImages } from "./images.ts";
import type { Named } from "./named.ts";
import { packageChart, pushChart } from "./package-chart.ts";
import { signImage, writeChecksums } from "./sign.ts";
import { writeNotes } from "./write-notes.ts";

export type Release = {
  /** The root of the repository. */
  readonly checkout: string;
  /** The folder for what is released. It is replaced. */
  readonly out: string;
  readonly tools: Tools;
  /** For what is needed meanwhile. */
  readonly scratch: string;
  /** The registry, with the path before `/catchment`: `ghcr.io/acme`. The one place that decides about the name. */
  readonly registry: string;
  readonly processors: readonly Processor[];
  /** True: the base images are made from Debian's packages, so no registry is needed. */
  readonly fromDebian: boolean;
  readonly push: boolean;
};

/** Writes everything that is released into one folder, and pushes it if wanted. Returns the version. */
export function makeRelease(release: Release): string {
  const { checkout, out, tools, scratch, registry, processors, fromDebian, push } = release;
  const version = readVersion(checkout);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const named = { checkout, out, registry, version };

  writeNotes(named);
  writeCompose(named);
  packageChart(named);
  packPackages(checkout, out);
  writeSbom(checkout, join(out, `catchment-${version}.cdx.json`));
  say("✓ notes, compose.yaml, chart, packages, and software bill of materials");

  const bases = fromDebian
    ? makeBaseImages(tools, scratch, join(checkout, "Dockerfile"), processors)
    : undefined;
  const images = buildImages(tools, { ...named, processors, bases });
  archiveImages(tools, images, named);
  say(`✓ image for ${processors.join(" and ")}`);
  say(writeChecksums(out));
  if (push) {
    const digests = [
      pushImages(tools, images, { ...named, scratch }),
      pushChart(tools, { ...named, scratch }),
    ];
    for (const digest of digests) say(`✓ pushed ${digest}. ${signImage(digest)}`);
  }
  return version;
}

/** The version is that of package.json, and of the tag that the workflow runs for. */
function readVersion(checkout: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const tag = process.env.GITHUB_REF_NAME ?? process.env.CI_COMMIT_TAG ?? `v${version}`;
  if (tag === `v${version}`) return version;
  throw new Error(`The tag is ${tag}, and package.json says ${version}. Tag it v${version}.`);
}

function packPackages(checkout: string, out: string): void {
  for (const folder of ["clients/typescript", "cli"])
    execFileSync("npm", ["pack", "--silent", "--pack-destination", out], {
      cwd: join(checkout, folder),
      stdio: ["ignore", "ignore", "inherit"],
    });
}

function writeSbom(checkout: string, file: string): void {
  const args = ["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"];
  const options = { cwd: checkout, encoding: "utf8", maxBuffer: 64e6 } as const;
  writeFileSync(file, execFileSync("npm", args, options));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The compose file of a release pulls its image, and needs no checkout. */
function writeCompose({ checkout, out, registry, version }: Named): void {
  const text = readFileSync(join(checkout, "compose.yaml"), "utf8");
  const released = text
    .replace("    build: .\n", "")
    .replace("CATCHMENT_IMAGE:-catchment", `CATCHMENT_IMAGE:-${registry}/catchment:${version}`)
    .replace(" Other set-ups are in deploy/compose.", "");
  writeFileSync(join(out, "compose.yaml"), released);
}
