import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tools } from "./tools.ts";

type BaseImages = { readonly build: string; readonly runtime: string };

/**
 * The two base images of the Dockerfile, made from packages of Debian: the version that it names, as slim as
 * `debian:…-slim`, and the same with this machine's Node and npm.
 */
export function makeBaseImages(tools: Tools, folder: string, dockerfile: string): BaseImages {
  const runtime = "localhost/catchment-runtime-base";
  const build = "localhost/catchment-build-base";
  const context = join(folder, "base");
  mkdirSync(context);
  makeDebian(tools, join(context, "debian.tar"), readSuite(readFileSync(dockerfile, "utf8")));
  writeFileSync(join(context, "Dockerfile"), 'FROM scratch\nADD debian.tar /\nCMD ["bash"]\n');
  tools.build(runtime, context);

  const withNode = join(folder, "base-with-node");
  addNode(withNode);
  const lines = [`FROM ${runtime}`, "COPY root /", ...trustCertificates(withNode)];
  writeFileSync(join(withNode, "Dockerfile"), `${lines.join("\n")}\n`);
  tools.build(build, withNode);
  return { build, runtime };
}

/** The name of a version of Debian is in the tag of Node's images. */
function readSuite(dockerfile: string): string {
  const suite = /BUILD_IMAGE=\S+?:\d+-(\w+)-slim/.exec(dockerfile)?.[1];
  if (suite === undefined) throw new Error("The Dockerfile names no version of Debian.");
  return suite;
}

function makeDebian(tools: Tools, file: string, suite: string): void {
  const keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]";
  const sources = [
    `deb ${keys} http://deb.debian.org/debian ${suite} main`,
    `deb ${keys} http://deb.debian.org/debian ${suite}-updates main`,
    `deb ${keys} http://deb.debian.org/debian-security ${suite}-security main`,
  ];
  const unneeded = ["usr/share/doc", "usr/share/man", "usr/share/locale", "var/lib/apt/lists"];
  const args = ["--quiet", "--mode=root", "--variant=minbase", "--format=tar"];
  const hook = `rm -rf ${unneeded.map((path) => `"$1/${path}"`).join(" ")}`;
  tools.show("mmdebstrap", ...args, `--customize-hook=${hook}`, suite, file, ...sources);
}

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
