/** The files that start Catchment elsewhere agree with each other and with what Catchment reads. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readFileVariables } from "#lib/core/env/file-variables.ts";
import { findUnknownVariables, parseEnv, variableNames } from "#lib/core/env/parse-env.ts";
import { parseStartOptions } from "#server/system/start-options.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dockerfile = read("Dockerfile");
const unit = read("deploy/systemd/catchment.service");
const instruction = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].at(-1)?.[1] ?? "";

type Service = {
  readonly image: string;
  readonly build?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly tmpfs?: readonly string[];
  readonly command?: readonly string[] | string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly extends?: { readonly file: string; readonly service: string };
};
type Network = { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, null>>;
  readonly networks?: Readonly<Record<string, Network>>;
};

const given: Readonly<Record<string, string>> = {
  CATCHMENT_HOST: "hooks.example.com",
  CATCHMENT_PUBLIC_URL: "https://hooks.example.com",
  CATCHMENT_SECRET_KEY: "a secret key for tests, long enough",
  POSTGRES_PASSWORD: "6f1c",
};

/** Reads it as Compose does: variables, then anchors and merges, then services of other files. */
function readCompose(path: string): Compose {
  const text = read(path).replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind?: string, rest = "") => {
      const value = given[name] ?? (kind === "-" ? rest : undefined);
      if (value === undefined) throw new Error(`${path}: the test knows no ${name}`);
      return value;
    },
  );
  const compose = parse(text, { merge: true }) as Compose;
  const services = Object.entries(compose.services).map(([name, service]) => {
    if (service.extends === undefined) return [name, service] as const;
    const base = readCompose(join(path, "..", service.extends.file));
    return [name, { ...base.services[service.extends.service], ...service }] as const;
  });
  return { ...compose, services: Object.fromEntries(services) as Record<string, Service> };
}

const files = ["compose.yaml", "deploy/compose/postgresql.yaml", "deploy/compose/workers.yaml"];

function listCatchment(file: string): readonly (readonly [string, Service])[] {
  const all = Object.entries(readCompose(file).services);
  const own = all.filter(([, { image }]) => image === "catchment");
  expect(own.length).toBeGreaterThan(0);
  return own;
}

test.each(files)("%s runs the image as the Dockerfile means it", (file) => {
  for (const [name, service] of listCatchment(file)) {
    const where = `${file}: ${name}`;
    expect(existsSync(join(root, file, "..", service.build ?? "?", "Dockerfile")), where).toBe(
      true,
    );
    expect([where, service.user]).toEqual([where, instruction("USER")]);
    expect([where, service.read_only, service.cap_drop]).toEqual([where, true, ["ALL"]]);
    expect([where, service.tmpfs]).toEqual([where, ["/tmp"]]);
    // The supervisor drains for up to 60 s, and PostgreSQL is last.
    expect(Number.parseInt(service.stop_grace_period ?? "0", 10)).toBeGreaterThan(60);
    const ports = (service.ports ?? []).map((port) => port.split(":").at(-1));
    expect(ports.filter((port) => port !== instruction("EXPOSE"))).toEqual([]);
    const targets = (service.volumes ?? []).map((volume) => volume.split(":")[1]);
    expect(targets.filter((target) => target !== instruction("VOLUME"))).toEqual([]);
  }
});

test.each(files)("%s gives each process settings that it reads, and roles that exist", (file) => {
  for (const [name, { environment = {}, command = [] }] of listCatchment(file)) {
    const withFiles = readFileVariables(environment, () => "a secret from a file, long enough");
    if (!withFiles.ok) throw new Error(`${file}: ${name}: ${withFiles.message}`);
    const { env } = withFiles;
    expect(Object.keys(env).filter((variable) => !variableNames.includes(variable))).toEqual([]);
    expect(findUnknownVariables(env)).toEqual([]);
    expect(parseEnv(env)).toMatchObject({ ok: true });
    expect(() => parseStartOptions([...command])).not.toThrow();
  }
});

test.each(files)("%s names only volumes, networks, services, and files that exist", (file) => {
  const { services, volumes = {}, networks = {} } = readCompose(file);
  for (const service of Object.values(services)) {
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("."))
        expect(existsSync(join(root, file, "..", source)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
    for (const other of Object.keys(service.depends_on ?? {}))
      expect(services).toHaveProperty(other);
  }
});

test("every role runs behind Caddy, which is trusted, and calls are made by two workers", () => {
  const { services, networks } = readCompose("deploy/compose/workers.yaml");
  const roles = (name: string) => [
    ...parseStartOptions([...(services[name]?.command ?? [])]).roles,
  ];
  expect([...roles("catchment"), ...roles("worker")].sort()).toEqual(["catch", "web", "worker"]);
  expect(services.worker).toMatchObject({ deploy: { replicas: 2 } });
  const [range] = networks?.inside?.ipam.config ?? [];
  expect(services.catchment?.environment?.CATCHMENT_TRUSTED_PROXIES).toBe(range?.subnet);
  const caddyfile = read("deploy/compose/Caddyfile");
  expect(caddyfile).toContain(`reverse_proxy catchment:${instruction("EXPOSE")}`);
  for (const [, name = ""] of caddyfile.matchAll(/\{\$(\w+)\}/g))
    expect(services.caddy?.environment).toHaveProperty(name);
});

test("the image and the service of systemd start Catchment as npm start does", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const [, start = ""] = / exec node (.*)$/.exec(scripts.start) ?? [];
  const [, ...entrypoint] = JSON.parse(instruction("ENTRYPOINT")) as readonly string[];
  expect(entrypoint.join(" ")).toBe(start);
  expect(/^ExecStart=\S+\/node_modules\/\.bin\/node (.*)$/m.exec(unit)?.[1]).toBe(start);
  const own = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = ""]) => name);
  const ofNode = ["NODE_ENV", "NODE_COMPILE_CACHE"];
  expect(own.filter((name) => ![...variableNames, ...ofNode].includes(name))).toEqual([]);
});

const unitValue = (name: string) => new RegExp(`^${name}=-?(.*)$`, "m").exec(unit)?.[1] ?? "";

test("the commands that install the service make what its unit names, from files that exist", () => {
  const docs = read("docs/deployment.md").split("## As a service of systemd")[1] ?? "";
  const block = /```sh\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
  const commands = block.trim().split("\n");
  expect(commands).toHaveLength(8);
  const folder = unitValue("WorkingDirectory");
  expect(block).toContain(`useradd --system --home-dir ${folder} `);
  expect(block).toMatch(new RegExp(`useradd .* ${unitValue("User")}$`, "m"));
  expect(block).toContain(` ${unitValue("EnvironmentFile")}\n`);
  const files = [...block.matchAll(/\/opt\/catchment\/(\S+)/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [, script = ""] = /npm run ([\w:]+)/.exec(block) ?? [];
  expect(scripts).toHaveProperty(script);
});

test("the example of the service's settings has only what Catchment reads, with and without the comments", () => {
  const text = read("deploy/systemd/catchment.env.example");
  for (const lines of [text, text.replaceAll(/^# (?=[A-Z_]+=)/gm, "")]) {
    const env = Object.fromEntries(
      [...lines.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
        name,
        name === "CATCHMENT_SECRET_KEY" ? "a secret key for tests, long enough" : value,
      ]),
    );
    expect(Object.keys(env).filter((name) => !variableNames.includes(name))).toEqual([]);
    expect(parseEnv(env)).toMatchObject({ ok: true });
  }
});

const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasAnalyze)("systemd finds nothing wrong with the unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  try {
    const file = join(folder, "catchment.service");
    writeFileSync(file, unit.replaceAll("/opt/catchment", root.replace(/\/$/, "")));
    const { status, stdout, stderr } = spawnSync(
      "systemd-analyze",
      ["verify", "--man=no", "--recursive-errors=no", file],
      { encoding: "utf8" },
    );
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
