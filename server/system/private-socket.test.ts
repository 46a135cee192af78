import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { makePrivateSocket } from "./private-socket.ts";

test("the dashboard's socket is in the data folder, which is never swept", () => {
  const folder = mkdtempSync(join(tmpdir(), "catchment-data-"));
  expect(makePrivateSocket("web.sock", folder).path).toBe(join(folder, "web.sock"));
  rmSync(folder, { recursive: true });
});

test.each([
  ["without a data folder", undefined],
  ["where its path would be too long", `/${"long/".repeat(20)}`],
])("%s it has its own folder, private to this user and removed with it", (_, folder) => {
  const socket = makePrivateSocket("web.sock", folder);
  expect(statSync(dirname(socket.path)).mode & 0o777).toBe(0o700);
  socket.release();
  expect(existsSync(dirname(socket.path))).toBe(false);
});

test("a missing folder for temporary files is one sentence", () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  expect(() => makePrivateSocket("web.sock", undefined)).toThrow(
    "The folder for temporary files, /nowhere/at/all, can't be written (ENOENT): set TMPDIR to one that can.",
  );
});
