import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { Role } from "#lib/core/env/setting.ts";
import { childSpec } from "./child-spec.ts";

const countThreads = `
  const { lookup } = require("node:dns/promises");
  lookup("localhost").then(() => console.log(require("node:fs").readdirSync("/proc/self/task").length));`;

it.skipIf(process.platform !== "linux")("a worker can look up many names concurrently", () => {
  const { env, nodeFlags = [] } = childSpec("worker", { PATH: process.env.PATH });
  const { stdout } = spawnSync(process.execPath, [...nodeFlags, "-e", countThreads], {
    env: { NODE_ENV: "production", ...env },
    encoding: "utf8",
  });
  expect(Number(stdout)).toBeGreaterThan(128);
});

it.each(["catch", "worker", "web"] as const)(
  "a payload's __proto__ reaches no prototype in %s, nor in its threads",
  (role) => {
    const script = `
      console.log({}.__proto__);
      const code = "require('node:worker_threads').parentPort.postMessage(String({}.__proto__))";
      const options = { eval: true, execArgv: [], env: {} };
      new (require("node:worker_threads").Worker)(code, options).on("message", console.log);`;
    const { nodeFlags = [] } = childSpec(role, {});
    const { stdout } = spawnSync(process.execPath, [...nodeFlags, "-e", script], {
      encoding: "utf8",
    });
    expect(stdout).toBe("undefined\nundefined\n");
  },
);

it("the environment takes precedence, and other roles keep libuv's number of threads", () => {
  expect(childSpec("worker", { UV_THREADPOOL_SIZE: "16" }).env).toEqual({
    UV_THREADPOOL_SIZE: "16",
  });
  expect(childSpec("catch", {}).env).toEqual({});
  expect(childSpec("web", {}).env).toEqual({});
});

it("a role gets no secrets that only others read", () => {
  const secrets = {
    CATCHMENT_ADMIN_PASSWORD: "1",
    CATCHMENT_OIDC_CLIENT_SECRET: "2",
    SMTP_URL: "3",
    AWS_SECRET_ACCESS_KEY: "4",
    CATCHMENT_SPOOL_URL: "5",
  };
  const shared = { DATABASE_URL: "6", CATCHMENT_SECRET_KEY: "7", HTTPS_PROXY: "8" };
  const namesOf = (role: Role) => {
    const { env } = childSpec(role, { ...shared, ...secrets });
    return Object.keys(env).filter((name) => name in secrets);
  };
  expect(namesOf("catch")).toEqual(["CATCHMENT_SPOOL_URL"]);
  expect(namesOf("worker")).toEqual(["SMTP_URL", "AWS_SECRET_ACCESS_KEY"]);
  expect(namesOf("web")).toEqual(["CATCHMENT_OIDC_CLIENT_SECRET", "SMTP_URL"]);
  for (const role of ["catch", "worker", "web"] as const)
    expect(childSpec(role, shared).env).toMatchObject(shared);
});
