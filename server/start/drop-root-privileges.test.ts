import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findServiceUser } from "#server/system/service-user.ts";

const user = findServiceUser();
const isRoot = user !== undefined;

/** Runs in a separate process, because there is no way back. */
function dropRootPrivileges(dataDir: string): { printed: string; code: number | null } {
  const script = new URL("drop-root-privileges.ts", import.meta.url).href;
  const source = `
    const { dropRootPrivileges } = await import(${JSON.stringify(script)});
    try {
      await dropRootPrivileges(${JSON.stringify(dataDir)});
    } catch (error) {
      console.log(error.message);
      process.exit(3);
    }
    const { readFileSync, writeFileSync } = await import("node:fs");
    writeFileSync(${JSON.stringify(join(dataDir, "lock"))}, "");
    const mayRead = (path) => { try { readFileSync(path); return true; } catch { return false; } };
    const mayReturn = (() => { try { process.setuid(0); return true; } catch { return false; } })();
    console.log(JSON.stringify({
      ids: [process.getuid(), process.geteuid(), process.getgid()],
      groups: process.getgroups(), readsShadow: mayRead("/etc/shadow"), mayReturn,
    }));`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    encoding: "utf8",
  });
  return { printed: stdout.trim(), code: status };
}

test.runIf(isRoot)(
  "started by root, the data folder and our files in it are handed to the service user, permanently",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "catchment-root-"));
    // The state that earlier versions left: owned by root, with a cluster of the user postgres.
    mkdirSync(join(folder, "postgres", "base"), { recursive: true });
    for (const file of [
      "secret-key",
      "postgres-password",
      "postgres/PG_VERSION",
      "postgres/base/1",
      "other",
    ])
      writeFileSync(join(folder, file), "");
    chownSync(join(folder, "postgres", "base", "1"), 65_534, 65_534);
    chmodSync(join(folder, "secret-key"), 0o600);
    const { uid, gid } = user ?? { uid: 0, gid: 0 };
    const { printed } = dropRootPrivileges(folder);
    expect(JSON.parse(printed)).toEqual({
      ids: [uid, uid, gid],
      groups: [gid],
      readsShadow: false,
      mayReturn: false,
    });
    for (const file of [
      ".",
      "secret-key",
      "postgres-password",
      "postgres",
      "postgres/base",
      "postgres/base/1",
    ])
      expect([file, statSync(join(folder, file)).uid]).toEqual([file, uid]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    // A folder named by mistake keeps files that aren't ours.
    expect(statSync(join(folder, "other")).uid).toBe(0);
    rmSync(folder, { recursive: true });
  },
);

test.runIf(isRoot)(
  "a backup that root restored into the service user's folder is handed over too",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "catchment-restored-"));
    const { uid, gid } = user ?? { uid: 0, gid: 0 };
    chownSync(folder, uid, gid);
    mkdirSync(join(folder, "postgres", "base"), { recursive: true });
    writeFileSync(join(folder, "postgres", "base", "1"), "");
    writeFileSync(join(folder, "secret-key"), "", { mode: 0o600 });
    expect(dropRootPrivileges(folder).code).toBe(0);
    for (const file of ["secret-key", "postgres", "postgres/base", "postgres/base/1"])
      expect([file, statSync(join(folder, file)).uid]).toEqual([file, uid]);
    rmSync(folder, { recursive: true });
  },
);

test.runIf(isRoot)("a link that the service user made leads to nothing that is handed over", () => {
  const folder = mkdtempSync(join(tmpdir(), "catchment-linked-"));
  const elsewhere = mkdtempSync(join(tmpdir(), "catchment-elsewhere-"));
  const { uid, gid } = user ?? { uid: 0, gid: 0 };
  chownSync(folder, uid, gid);
  writeFileSync(join(elsewhere, "shadow"), "");
  symlinkSync(elsewhere, join(folder, "postgres-link"));
  for (const file of ["lock", "lock.pid"]) symlinkSync(join(elsewhere, file), join(folder, file));
  for (const file of ["postgres-link", "lock", "lock.pid"])
    lchownSync(join(folder, file), uid, gid);
  // Root put it back from a backup.
  writeFileSync(join(folder, "secret-key"), "", { mode: 0o600 });
  // A link that root made is where the database is.
  const disk = mkdtempSync(join(tmpdir(), "catchment-disk-"));
  writeFileSync(join(disk, "PG_VERSION"), "");
  symlinkSync(disk, join(folder, "postgres"));
  expect(dropRootPrivileges(folder).code).toBe(0);
  expect(statSync(join(folder, "secret-key")).uid).toBe(uid);
  expect(statSync(join(disk, "PG_VERSION")).uid).toBe(uid);
  expect(statSync(join(elsewhere, "shadow")).uid).toBe(0);
  expect(readdirSync(elsewhere)).toEqual(["shadow"]);
  for (const made of [folder, elsewhere, disk]) rmSync(made, { recursive: true });
});

test.runIf(isRoot)("a data folder that the user can't reach is one sentence", () => {
  const closed = mkdtempSync(join(tmpdir(), "catchment-closed-"));
  const { printed, code } = dropRootPrivileges(join(closed, "data"));
  expect(printed).toMatch(/^Started by root, .*set CATCHMENT_DATA_DIR to a folder/);
  expect(code).toBe(3);
  rmSync(closed, { recursive: true });
});
