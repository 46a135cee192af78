import { describe, expect, test } from "vitest";
import { describeEnvProblems, findUnknownVariables, parseEnv } from "./parse-env.ts";

const secretKey = "k".repeat(32);

function problemsOf(source: Record<string, string>): readonly string[] {
  const result = parseEnv(source);
  return result.ok ? [] : result.problems.map((problem) => problem.variable);
}

describe("parseEnv", () => {
  test("nothing set runs everything on this machine, and nothing that has to be asked for", () => {
    expect(parseEnv({})).toMatchObject({
      ok: true,
      env: {
        ...{ port: 3000, host: "127.0.0.1", publicUrl: "http://localhost:3000" },
        ...{ isPublicUrlGiven: false, databaseUrl: undefined, dataDir: ".catchment" },
        ...{ admin: undefined, spool: undefined, archive: undefined, mail: undefined },
        ...{ monitoring: { metricsPort: undefined, metricsToken: undefined } },
        ...{ traces: undefined, oidc: undefined, egressAllow: [], trustedProxies: [] },
      },
    });
  });

  test("an empty value counts as unset", () => {
    const result = parseEnv({ PORT: "", DATABASE_URL: " ", CATCHMENT_EGRESS_ALLOW: "" });
    expect(result).toMatchObject({
      ok: true,
      env: { port: 3000, databaseUrl: undefined, egressAllow: [] },
    });
  });

  test("the public URL follows the port and loses its trailing slash", () => {
    expect(parseEnv({ PORT: "8080" })).toMatchObject({
      env: { publicUrl: "http://localhost:8080" },
    });
    expect(parseEnv({ CATCHMENT_PUBLIC_URL: "https://Hooks.example.com/" })).toMatchObject({
      env: { publicUrl: "https://hooks.example.com" },
    });
  });

  test.each([
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "3000x"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["HOST", "a b"],
    ["CATCHMENT_PUBLIC_URL", "hooks.example.com"],
    ["CATCHMENT_PUBLIC_URL", "https://hooks.example.com/path"],
    ["CATCHMENT_PUBLIC_URL", "ftp://hooks.example.com"],
    ["CATCHMENT_PUBLIC_URL", "https://user:pw@hooks.example.com"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_URL", "postgresql://localhost"],
    ["CATCHMENT_SECRET_KEY", "short"],
    ["CATCHMENT_ADMIN_EMAIL", "nobody"],
    ["CATCHMENT_ADMIN_PASSWORD", "x".repeat(1025)],
    ["CATCHMENT_ADMIN_ACCOUNT", "Acme"],
    ["CATCHMENT_ADMIN_ACCOUNT", "a/b"],
    ["CATCHMENT_ADMIN_API_TOKEN", "too short"],
    ["CATCHMENT_MAX_BODY_BYTES", "0"],
    ["CATCHMENT_MAX_BODY_BYTES", "1073741824"],
    ["CATCHMENT_CATCH_PROCESSES", "0"],
    ["CATCHMENT_CATCH_PROCESSES", "17"],
    ["CATCHMENT_EGRESS_ALLOW", "10.0.0.0/33"],
    ["CATCHMENT_EGRESS_ALLOW", "10.0.0.0/8,private"],
    ["CATCHMENT_EGRESS_ALLOW", "fe80::1%eth0"],
    ["CATCHMENT_EGRESS_IPS", "203.0.113.7:443"],
    ["CATCHMENT_EGRESS_IPS", "gateway.example.com"],
    ["CATCHMENT_TRUSTED_PROXIES", "::1/129"],
    ["CATCHMENT_LOG", "xml"],
  ])("%s=%s is rejected by name, without repeating the value", (variable, value) => {
    const result = parseEnv({ [variable]: value });
    expect(problemsOf({ [variable]: value })).toEqual([variable]);
    if (!result.ok) expect(describeEnvProblems(result.problems)).not.toContain(` ${value} `);
  });

  test("an external database needs a secret key", () => {
    const url = "postgresql://u:p@db.example.com:5432/catchment";
    expect(problemsOf({ DATABASE_URL: url })).toEqual(["CATCHMENT_SECRET_KEY"]);
    expect(problemsOf({ DATABASE_URL: url, CATCHMENT_SECRET_KEY: secretKey })).toEqual([]);
  });

  test("an incomplete owner is rejected", () => {
    expect(problemsOf({ CATCHMENT_ADMIN_API_TOKEN: "t".repeat(32) })).toEqual([
      "CATCHMENT_ADMIN_EMAIL",
      "CATCHMENT_ADMIN_PASSWORD",
    ]);
    expect(
      parseEnv({ CATCHMENT_ADMIN_EMAIL: "a@b.c", CATCHMENT_ADMIN_PASSWORD: "a good password" }),
    ).toMatchObject({
      env: { admin: { email: "a@b.c", account: "main", apiToken: undefined } },
    });
  });

  test("a password of an earlier release stops no start: only a new owner needs a better one", () => {
    expect(
      parseEnv({ CATCHMENT_ADMIN_EMAIL: "a@b.c", CATCHMENT_ADMIN_PASSWORD: "password" }),
    ).toMatchObject({ ok: true, env: { admin: { password: "password" } } });
  });

  test("a list of networks is parsed once, each with an optional port", () => {
    const result = parseEnv({ CATCHMENT_EGRESS_ALLOW: "10.0.0.0/8, 192.168.1.7:8443,::1" });
    const rules = result.ok ? result.env.egressAllow : [];
    expect(rules.map(({ prefixLength, port }) => [prefixLength, port])).toEqual([
      [8, null],
      [32, 8443],
      [128, null],
    ]);
  });

  test("every wrong variable is reported at once", () => {
    expect(problemsOf({ PORT: "x", CATCHMENT_LOG: "y" })).toEqual(["PORT", "CATCHMENT_LOG"]);
  });
});

test("an unknown setting is reported, with the most similar known one", () => {
  const source = {
    CATCHMENT_RETENTION_DAY: "7",
    CATCHMENT_TRUSTED_PROXY: "10.0.0.1",
    CATCHMENT_SOMETHING_ELSE: "x",
    CATCHMENT_PORT: "80",
    CATCHMENT_TYPO: "x",
    CATCHMENT_LOG: "json",
    OTHER: "y",
  };
  expect(findUnknownVariables(source)).toEqual([
    { variable: "CATCHMENT_RETENTION_DAY", meant: "CATCHMENT_RETENTION_DAYS" },
    { variable: "CATCHMENT_TRUSTED_PROXY", meant: "CATCHMENT_TRUSTED_PROXIES" },
    { variable: "CATCHMENT_SOMETHING_ELSE", meant: null },
    { variable: "CATCHMENT_PORT", meant: "PORT" },
    { variable: "CATCHMENT_TYPO", meant: null },
  ]);
});
