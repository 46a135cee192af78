import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BaseImages, Processor } from "../image/base-images.ts";
import type { Tools } from "../image/tools.ts";
import { isOnThisMachine, type Named } from "./named.ts";

type BuildOptions = Named & {
  readonly processors: readonly Processor[];
  /** Undefined: those that the Dockerfile names. */
  readonly bases: BaseImages | undefined;
};

type Images = ReadonlyMap<Processor, string>;

/** Builds the image once per processor. No program of another processor runs. */
export function buildImages(tools: Tools, options: BuildOptions): Images {
  const { checkout, processors, bases, version } = options;
  return new Map(
    processors.map((processor) => {
      const tag = `localhost/catchment:${version}-${processor}`;
      const given = bases === undefined ? [] : toArguments(bases, processor);
      const label = ["--label", `org.opencontainers.image.version=${version}`];
      const platforms = ["--platform", `linux/${processor}`, "--build-arg", ownPlatform];
      tools.build(tag, checkout, ...platforms, ...label, ...given);
      return [processor, tag] as const;
    }),
  );
}

const ownPlatform = `BUILDPLATFORM=linux/${process.arch === "arm64" ? "arm64" : "amd64"}`;

function toArguments({ build, runtime }: BaseImages, processor: Processor): readonly string[] {
  const values = { BUILD_IMAGE: build, RUNTIME_IMAGE: runtime[processor] };
  return Object.entries(values).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
}

/** Files for `docker load`, for machines that reach no registry. */
export function archiveImages(tools: Tools, images: Images, named: Named): void {
  for (const [processor, tag] of images) {
    const file = join(named.out, `catchment-${named.version}-linux-${processor}.tar`);
    const name = `${named.registry}/catchment:${named.version}`;
    const how = ["--signature-policy", tools.policy, "--format", "v2s2"];
    tools.buildah("push", ...how, tag, `docker-archive:${file}:${name}`);
    tools.run("gzip", "--no-name", file);
  }
}

/** Pushes the image of all processors under one name. Returns the name with its digest. */
export function pushImages(
  tools: Tools,
  images: Images,
  { registry, version, scratch }: Named & { readonly scratch: string },
): string {
  const list = `localhost/catchment:${version}`;
  tools.buildah("manifest", "create", list);
  for (const tag of images.values()) tools.buildah("manifest", "add", list, tag);
  const digestFile = join(scratch, "image-digest");
  const name = `${registry}/catchment`;
  const how = ["--all", "--format", "v2s2", "--signature-policy", tools.policy];
  how.push("--digestfile", digestFile);
  if (isOnThisMachine(registry)) how.push("--tls-verify=false");
  tools.buildah("manifest", "push", ...how, list, `docker://${name}:${version}`);
  return `${name}@${readFileSync(digestFile, "utf8").trim()}`;
}
