import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findServiceUser } from "./service-user.ts";
import { makeSpoolFolder, requireSpoolFolder } from "./spool-folder.ts";

const isRoot = process.getuid?.() === 0;
const otherUser = 65_534;
let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "spool-parent-"));
  folder = join(parent, "spool");
  for (const name of ["", "writer-1", "set-aside", "hooks"])
    mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, "id"), "x", { mode: 0o600 });
  writeFileSync(join(folder, "writer-1", "1.spool"), "x", { mode: 0o600 });
});
afterEach(() => rmSync(parent, { recursive: true }));

const place = (...names: readonly string[]) => join(folder, ...names);

describe.skipIf(platform() === "win32")("the folder of a spool", () => {
  test("that only its owner can write to is used", () => {
    expect(() => requireSpoolFolder(folder)).not.toThrow();
    // Others may read what isn't secret, such as a folder's name.
    chmodSync(folder, 0o755);
    chmodSync(parent, 0o1777);
    expect(() => requireSpoolFolder(folder)).not.toThrow();
  });

  test.each([
    ["the folder, by everyone", [], 0o777],
    ["the folder, by its group", [], 0o770],
    ["the folder, by everyone who may not read it", [], 0o702],
    ["a process's part", ["writer-1"], 0o770],
    ["what is set aside", ["set-aside"], 0o777],
    ["the kept hooks", ["hooks"], 0o720],
    ["a file", ["writer-1", "1.spool"], 0o666],
    ["its id", ["id"], 0o620],
  ])("with %s writable by others is refused, with what to change", (_what, names, mode) => {
    chmodSync(place(...names), mode);
    expect(() => requireSpoolFolder(folder)).toThrow(
      `Others can write to ${place(...names).replace(/\/$/, "")}, and so put deliveries into the spool`,
    );
    expect(() => requireSpoolFolder(folder)).toThrow(`chmod -R go-w ${folder}`);
  });

  test("in a folder in which others could replace it is refused", () => {
    chmodSync(parent, 0o777);
    expect(() => requireSpoolFolder(folder)).toThrow(`chmod o-w ${parent}`);
  });

  test.skipIf(!isRoot).each([
    ["a file", ["writer-1", "1.spool"]],
    ["a process's part", ["writer-1"]],
    ["its id", ["id"]],
  ])("with %s of another user is refused, and changes no owner", (_what, names) => {
    chownSync(place(...names), otherUser, otherUser);
    expect(() => requireSpoolFolder(folder)).toThrow(/belongs to another user \(65534\)/);
    const spool = { folder, broker: undefined, maxBytes: 1e9 };
    expect(() => makeSpoolFolder(spool)).toThrow(/belongs to another user \(65534\)/);
    expect(statSync(place(...names)).uid).toBe(otherUser);
  });

  test.skipIf(!isRoot)(
    "gets the user that Catchment runs as, also if root or one user made it",
    () => {
      const user = findServiceUser();
      for (const uid of [0, otherUser]) {
        for (const name of ["", "writer-1", "writer-1/1.spool", "set-aside", "hooks", "id"])
          chownSync(place(name), uid, 0);
        makeSpoolFolder({ folder, broker: undefined, maxBytes: 1e9 });
        expect(statSync(folder).uid).toBe(user?.uid);
        expect(statSync(place("writer-1", "1.spool")).uid).toBe(user?.uid);
      }
    },
  );

  test("is made, private, with the folder that it is in, and belongs to the same user", () => {
    const deeper = join(parent, "data", "spool");
    makeSpoolFolder({ folder: deeper, broker: undefined, maxBytes: 1e9 });
    for (const path of [deeper, join(parent, "data")]) {
      const { mode, uid } = statSync(path);
      expect([mode & 0o777, uid]).toEqual([0o700, findServiceUser()?.uid ?? process.getuid?.()]);
    }
  });

  test("that can't be made says what to set", () => {
    const inFile = join(folder, "id", "spool");
    expect(() => makeSpoolFolder({ folder: inFile, broker: undefined, maxBytes: 1e9 })).toThrow(
      `The spool's folder ${inFile} can't be made (ENOTDIR): set CATCHMENT_SPOOL_URL`,
    );
  });
});
