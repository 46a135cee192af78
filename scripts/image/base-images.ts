import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tools } from "./tools.ts";

/** Docker's names of the processors that the image is for. */
export type Processor = "amd64" | "arm64";
export type BaseImages = {
  readonly build: string;
  readonly runtime: Readonly<Partial<Record<Processor, string>>>;
};

/**
 * The base images of the Dockerfile, made from packages of Debian: the version that it names, as slim as
 * `debian:…-slim`, for each processor, and for this machine's the same with its Node and npm.
 */
export function makeBaseImages(
  tools: Tools,
  folder: string,
  dockerfile: string,
  processors: readonly Processor[],
): BaseImages {
  const suite = readSuite(readFileSync(dockerfile, "utf8"));
  const own: Processor = process.arch === "arm64" ? "arm64" : "amd64";
  const toName = (processor: Processor) => `localhost/catchment-runtime-base:${processor}`;
  for (const processor of new Set([own, ...processors])) {
    const context = join(folder, `base-${processor}`);
    mkdirSync(context);
    makeDebian(tools, join(context, "debian.tar"), { suite, processor, isOwn: processor === own });
    writeFileSync(join(context, "Dockerfile"), 'FROM scratch\nADD debian.tar /\nCMD ["bash"]\n');
    tools.build(toName(processor), context, "--platform", `linux/${processor}`);
  }
  const build = "localhost/catchment-build-base";
  const withNode = join(folder, "base-with-node");
  addNode(withNode);
  const lines = [`FROM ${toName(own)}`, "COPY root /", ...trustCertificates(withNode)];
  writeFileSync(join(withNode, "Dockerfile"), `${lines.join("\n")}\n`);
  tools.build(build, withNode);
  return {
    build,
    runtime: Object.fromEntries(processors.map((processor) => [processor, toName(processor)])),
  };
}

/** The name of a version of Debian is in the tag of Node's images. */
function readSuite(dockerfile: string): string {
  const suite = /BUILD_IMAGE=\S+?:\d+-(\w+)-slim/.exec(dockerfile)?.[1];
  if (suite === undefined) throw new Error("The Dockerfile names no version of Debian.");
  return suite;
}

type Wanted = {
  readonly suite: string;
  readonly processor: Processor;
  /** False: none of its programs can run here, so packages are only unpacked. */
  readonly isOwn: boolean;
};

function makeDebian(tools: Tools, file: string, { suite, processor, isOwn }: Wanted): void {
  const keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]";
  const sources = [
    `deb ${keys} http://deb.debian.org/debian ${suite} main`,
    `deb ${keys} http://deb.debian.org/debian ${suite}-updates main`,
    `deb ${keys} http://deb.debian.org/debian-security ${suite}-security main`,
  ];
  const unneeded = ["usr/share/doc", "usr/share/man", "usr/share/locale", "var/lib/apt/lists"];
  const variant = isOwn
    ? ["--variant=minbase"]
    : ["--variant=extract", `--include=${needed.join()}`, `--extract-hook=${writeUsers}`];
  const args = ["--quiet", "--mode=root", "--format=tar", `--architectures=${processor}`];
  const hook = `rm -rf ${unneeded.map((path) => `"$1/${path}"`).join(" ")}`;
  // What is only unpacked has no other hook.
  const when = isOwn ? "customize" : "extract";
  tools.show("mmdebstrap", ...args, ...variant, `--${when}-hook=${hook}`, suite, file, ...sources);
}

/** The packages of Debian that the image needs. */
const needed = [
  ...["base-files", "base-passwd", "bash", "ca-certificates", "coreutils", "dash", "findutils"],
  ...["grep", "libc6", "libgcc-s1", "libstdc++6", "sed", "tzdata"],
];
/** The package base-passwd does the same when it is installed. */
const writeUsers =
  'cp "$1/usr/share/base-passwd/passwd.master" "$1/etc/passwd"; ' +
  'cp "$1/usr/share/base-passwd/group.master" "$1/etc/group"';

/** Puts `node` and `npm` into /usr/local, as Node's own images do. */
function addNode(context: string): void {
  const local = join(context, "root/usr/local");
  mkdirSync(join(local, "bin"), { recursive: true });
  cpSync(process.execPath, join(local, "bin/node"), { dereference: true });
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error("Run this with npm: npm run test:image");
  const npmFolder = dirname(dirname(npm));
  cpSync(npmFolder, join(local, "lib/node_modules/npm"), { recursive: true });
  const start = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(join(local, "bin/npm"), start, { mode: 0o755 });
}

/** A network that reads TLS has certificates of its own, which npm has to trust. */
function trustCertificates(context: string): readonly string[] {
  const { NODE_EXTRA_CA_CERTS: file = "" } = process.env;
  if (!existsSync(file)) return [];
  const path = "/usr/local/share/ca-certificates/extra.pem";
  mkdirSync(join(context, "root", dirname(path)), { recursive: true });
  cpSync(file, join(context, "root", path), { dereference: true });
  return [`ENV NODE_EXTRA_CA_CERTS=${path}`];
}
