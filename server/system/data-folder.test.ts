import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#server/testing/wait-for.ts";
import { prepareDataFolder, writeInto } from "./data-folder.ts";
import { lockDataFolder } from "./data-folder-lock.ts";
import { resolveSecretKey } from "./secret-key.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "catchment-data-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe("prepareDataFolder", () => {
  test("makes the folder private, even one that was open", () => {
    const path = join(folder, "deep", "data");
    expect(prepareDataFolder(path)).toBe(path);
    expect(modeOf(path)).toBe("700");
    chmodSync(path, 0o777);
    prepareDataFolder(path);
    expect(modeOf(path)).toBe("700");
  });

  test("a file in its place is one sentence", () => {
    const path = join(folder, "file");
    writeFileSync(path, "");
    expect(() => prepareDataFolder(path)).toThrow(/is not a folder: set CATCHMENT_DATA_DIR/);
    expect(() => prepareDataFolder(join(path, "below"))).toThrow(/is not a folder/);
  });

  test("a place that can't contain a folder is one sentence, at once", () => {
    // Runs in a separate process, because it may never return.
    const source = `
      const { prepareDataFolder } = await import(${JSON.stringify(new URL("data-folder.ts", import.meta.url).href)});
      for (const path of ["/proc/nothing/data", ${JSON.stringify(join(folder, "x".repeat(300)))}])
        try { prepareDataFolder(path); } catch (error) { console.log(error.message); }`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
      encoding: "utf8",
      timeout: 300_000,
      killSignal: "SIGKILL",
    });
    const sentences = stdout.trim().split("\n");
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences)
      expect(sentence).toMatch(/: .*set CATCHMENT_DATA_DIR to another folder\.$/);
  });

  test("an unwritable folder is one sentence", () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o500 });
    const script = new URL("data-folder.ts", import.meta.url).href;
    const source = `
      const { prepareDataFolder } = await import(${JSON.stringify(script)});
      try { prepareDataFolder(${JSON.stringify(join(closed, "data"))}); }
      catch (error) { console.log(error.message); }`;
    // Root may write everywhere, so another user tries.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(folder, 0o755);
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
      ...nobody,
      encoding: "utf8",
    });
    expect(stdout).toMatch(
      /can't be written by this user: change its owner or set CATCHMENT_DATA_DIR/,
    );
  });
});

test.each([
  ["met by us", Object.assign(new Error("write"), { code: "ENOSPC" })],
  [
    "met by PostgreSQL",
    new Error("initdb ended with code 1: could not write: No space left on device"),
  ],
])("a full disk, %s, is one sentence", async (_, error) => {
  const write = () => Promise.reject(error);
  await expect(writeInto("/data", write)).rejects.toThrow(
    /^The disk that holds the data folder \/data is full/,
  );
});

describe("lockDataFolder", () => {
  const lockUrl = new URL("data-folder-lock.ts", import.meta.url).href;

  function holdInOtherProcess() {
    const source = `
      const { lockDataFolder } = await import(${JSON.stringify(lockUrl)});
      globalThis.lock = lockDataFolder(${JSON.stringify(folder)});
      setInterval(() => {}, 1000);`;
    return spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: "ignore" });
  }

  test("keeps a second process out, names the first, and ends with it even by kill -9", async () => {
    const holder = holdInOtherProcess();
    await waitFor("the lock", () => existsSync(join(folder, "lock.pid")));
    await waitFor(
      "the process id",
      () => readFileSync(join(folder, "lock.pid"), "utf8").trim() === String(holder.pid),
    );
    expect(() => lockDataFolder(folder)).toThrow(
      new RegExp(`in use by another Catchment \\(process ${holder.pid}\\)`),
    );
    holder.kill("SIGKILL");
    const lock = await waitFor("the lock to be free", () => {
      try {
        return lockDataFolder(folder);
      } catch {
        return undefined;
      }
    });
    lock.release();
  });

  test("can be locked again after its release", () => {
    lockDataFolder(folder).release();
    lockDataFolder(folder).release();
  });
});

describe("resolveSecretKey", () => {
  test("is created once, readable by its owner only, and then stays the same", () => {
    const key = resolveSecretKey(folder, undefined, false);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(modeOf(join(folder, "secret-key"))).toBe("600");
    expect(resolveSecretKey(folder, undefined, true)).toBe(key);
  });

  test("the environment's key takes precedence and is not stored", () => {
    expect(resolveSecretKey(folder, "k".repeat(32), false)).toBe("k".repeat(32));
    expect(existsSync(join(folder, "secret-key"))).toBe(false);
  });

  test("a database without its key is rejected, and no new key is created", () => {
    expect(() => resolveSecretKey(folder, undefined, true)).toThrow(/secret-key is missing/);
    expect(existsSync(join(folder, "secret-key"))).toBe(false);
  });

  test("a damaged key is rejected", () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "secret-key"), "abc");
    expect(() => resolveSecretKey(folder, undefined, true)).toThrow(/is damaged/);
  });
});
