import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { projectRoot } from "#server/system/paths.ts";

/** As in the image, or as npm runs a script of this name. */
function run(file: string, script?: string) {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/cli/${file}`, "help"], {
    cwd: projectRoot,
    env: script === undefined ? env : { ...env, npm_lifecycle_event: script },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("the former name runs the same commands, and says on stderr how to call them", () => {
  const present = run("catchment-server.ts");
  expect(present).toMatchObject({ status: 0, stderr: "" });
  expect(present.stdout).toContain("Usage: catchment-server COMMAND\n");
  const stderr =
    "Use catchment-server instead: this name stops working with the next major version.\n";
  expect(run("catchment.ts")).toEqual({ ...present, stderr });
  expect(run("catchment.ts", "catchment")).toMatchObject({
    stdout: expect.stringContaining("Usage: npm run server -- COMMAND\n"),
    stderr: stderr.replace("catchment-server", "npm run server --"),
  });
});
