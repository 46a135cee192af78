import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { fetchDebianPackage, unpackDebianPackages } from "#scripts/image/debian-package.ts";

/** Debian has no Helm, but the functions of its templates, as Go sources. */
const sources = [
  "masterminds-sprig",
  "masterminds-goutils",
  "masterminds-semver",
  "huandu-xstrings",
  "google-uuid",
  "imdario-mergo",
  "shopspring-decimal",
  "mitchellh-copystructure",
  "mitchellh-reflectwalk",
  "spf13-cast",
].map((name) => `golang-github-${name}-dev`);

const renderer = fileURLToPath(new URL("render.go", import.meta.url));

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own, and its schema checks it
  readonly spec: any;
};

type Rendering =
  | { readonly ok: true; readonly manifests: readonly Manifest[] }
  | { readonly ok: false; readonly message: string };

type Values = { readonly [name: string]: unknown };

/**
 * @param folder for the program that renders
 * @param chart its folder
 * @returns a function that renders the chart with some values changed
 */
export function prepareRenderer(folder: string, chart: string): (given: Values) => Rendering {
  const packages = [...sources, "golang-golang-x-crypto-dev", "golang-gopkg-yaml.v3-dev"];
  const roots = packages.map((name) => join(fetchDebianPackage(name), "usr/share/gocode"));
  const program = join(folder, "render");
  execFileSync(findGo(), ["build", "-o", program, renderer], {
    env: {
      ...process.env,
      CGO_ENABLED: "0",
      GO111MODULE: "off",
      GOPATH: roots.join(":"),
      GOCACHE: fileURLToPath(new URL("../../node_modules/.cache/go", import.meta.url)),
    },
    stdio: "inherit",
  });
  const read = (name: string) => parse(readFileSync(join(chart, name), "utf8"));
  const { name, version, appVersion } = read("Chart.yaml");
  return (given) => {
    const input = JSON.stringify({
      Chart: { Name: name, Version: version, AppVersion: appVersion },
      Release: { Name: "hooks", Namespace: "default", Service: "Helm" },
      Values: merge(read("values.yaml") as Values, given),
    });
    const { status, stdout, stderr } = spawnSync(program, [chart], {
      input,
      encoding: "utf8",
    });
    if (status !== 0) return { ok: false, message: stderr.trim() };
    const files = Object.entries(JSON.parse(stdout) as Record<string, string>);
    const manifests = files
      .filter(([file]) => file.endsWith(".yaml"))
      .flatMap(([file, text]) => readManifests(file, text));
    return { ok: true, manifests };
  };
}

/** Debian's Go, if this machine has none. It is only unpacked. */
function findGo(): string {
  if (spawnSync("go", ["version"]).status === 0) return "go";
  const root = unpackDebianPackages(["golang-go"]);
  const [go] = globSync("usr/lib/go-*/bin/go", { cwd: root });
  if (go === undefined) throw new Error("Debian's package golang-go has no go.");
  return join(root, go);
}

function readManifests(file: string, text: string): readonly Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message}\n${text}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** Merges as Helm does: objects are merged, and all else is replaced. */
function merge(base: Values, given: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const merged = Object.entries(given).map(([key, value]) => {
    const before = base[key];
    return [key, isObject(before) && isObject(value) ? merge(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}
