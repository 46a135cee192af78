import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import type { Tools } from "../image/tools.ts";
import { isOnThisMachine, type Named } from "./named.ts";

/**
 * Packages the Helm chart, which then names the released image: as the file that `helm package` would write, and as a
 * layout of OCI, which registries of images take.
 */
export function packageChart(named: Named): void {
  const staging = mkdtempSync(join(tmpdir(), "catchment-chart-"));
  const chart = join(staging, "catchment");
  cpSync(join(named.checkout, "deploy/helm/catchment"), chart, { recursive: true });
  const { registry, version } = named;
  replaceIn(join(chart, "Chart.yaml"), /^version: .*$/m, `version: ${version}`);
  replaceIn(join(chart, "Chart.yaml"), /^appVersion: .*$/m, `appVersion: "${version}"`);
  replaceIn(
    join(chart, "values.yaml"),
    "repository: catchment",
    `repository: ${registry}/catchment`,
  );
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  const args = [...same, "--mode=u+rw,go=rX", "--directory", staging, "--create", "catchment"];
  const contents = gzipSync(execFileSync("tar", args, { maxBuffer: 16e6 }), { level: 9 });
  const about = parse(readFileSync(join(chart, "Chart.yaml"), "utf8")) as object;
  rmSync(staging, { recursive: true });
  writeFileSync(join(named.out, `catchment-chart-${version}.tgz`), contents);
  writeLayout(join(named.out, "chart"), { contents, about, version });
}

/** Pushes the layout. Returns the chart's name with its digest. */
export function pushChart(
  tools: Tools,
  { out, registry, version, scratch }: Named & { readonly scratch: string },
): string {
  const digestFile = join(scratch, "chart-digest");
  const name = `${registry}/charts/catchment`;
  const how = ["--policy", tools.policy, "copy", "--preserve-digests", "--digestfile", digestFile];
  if (isOnThisMachine(registry)) how.push("--dest-tls-verify=false");
  tools.run(
    "skopeo",
    ...how,
    `oci:${join(out, "chart")}:${version}`,
    `docker://${name}:${version}`,
  );
  return `${name}@${readFileSync(digestFile, "utf8").trim()}`;
}

function replaceIn(file: string, before: RegExp | string, after: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replace(before, after);
  if (!changed.includes(after)) throw new Error(`${file} has no ${before}.`);
  writeFileSync(file, changed);
}

type Chart = {
  readonly contents: Buffer;
  /** Chart.yaml. */
  readonly about: object;
  readonly version: string;
};

function writeLayout(folder: string, { contents, about, version }: Chart): void {
  const blobs = join(folder, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const store = (mediaType: string, blob: Buffer) => {
    const digest = createHash("sha256").update(blob).digest("hex");
    writeFileSync(join(blobs, digest), blob);
    return { mediaType, digest: `sha256:${digest}`, size: blob.length };
  };
  const toJson = (value: object) => Buffer.from(JSON.stringify(value));
  const helm = "application/vnd.cncf.helm";
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = {
    schemaVersion: 2,
    mediaType,
    config: store(`${helm}.config.v1+json`, toJson(about)),
    layers: [store(`${helm}.chart.content.v1.tar+gzip`, contents)],
    annotations: {
      "org.opencontainers.image.title": "catchment",
      "org.opencontainers.image.version": version,
    },
  };
  const annotations = { "org.opencontainers.image.ref.name": version };
  const index = {
    schemaVersion: 2,
    manifests: [{ ...store(mediaType, toJson(manifest)), annotations }],
  };
  writeFileSync(join(folder, "index.json"), toJson(index));
  writeFileSync(join(folder, "oci-layout"), toJson({ imageLayoutVersion: "1.0.0" }));
}
