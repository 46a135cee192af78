import { deepStrictEqual } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { packageChart } from "#scripts/release/package-chart.ts";
import { type Manifest, prepareRenderer } from "./render-chart.ts";

/**
 * `npm run test:chart`: renders the Helm chart of a release in several ways, validates each manifest by Kubernetes' own
 * schema, and compares it with the Dockerfile. Needs Debian's packages of Go, and of Go sources.
 */
const models = [
  Deployment,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
];
const checkout = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(checkout, path), "utf8");
const dockerfile = read("Dockerfile");
const variables = [...read(".env.example").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(
  ([, name]) => name,
);

/** Their keys are the user's. */
const free =
  /^(?:annotations|labels|limits|matchLabels|nodeSelector|requests|selector|stringData)$/;
const knownFields = new Set(
  globSync("node_modules/{kubernetes-models,@kubernetes-models/apimachinery}/**/*.d.ts", {
    cwd: checkout,
  }).flatMap((file) => [...read(file).matchAll(/^ +"(\w+)"\??:/gm)].map(([, name = ""]) => name)),
);

const publicUrl = "https://hooks.example.com";
const metrics = {
  enabled: true,
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
};
const external = {
  publicUrl,
  metrics,
  database: { embedded: false },
  secrets: { existing: "catchment", keys: ["DATABASE_URL", "CATCHMENT_SECRET_KEY", "SMTP_URL"] },
  settings: { CATCHMENT_RETENTION_DAYS: 30 },
  trustedProxies: ["10.0.0.0/8", "fd00::/8"],
  ingress: { className: "nginx", tlsSecret: "hooks-tls", annotations: { "a.example/b": "c" } },
  networkPolicy: { from: [{ podSelector: { matchLabels: { app: "ingress" } } }] },
  nodeSelector: { disk: "fast" },
  tolerations: [{ key: "hooks", operator: "Exists" }],
};
const variants = {
  "one pod": { publicUrl },
  "one pod with its secrets": {
    publicUrl,
    metrics,
    secrets: { values: { SMTP_URL: "smtp://mail" } },
  },
  "an own database": external,
  "as little as possible": {
    publicUrl,
    ingress: { enabled: false },
    networkPolicy: { enabled: false },
    podDisruptionBudget: { enabled: false },
  },
};
const refusals = {
  "publicUrl is missing": {},
  "DATABASE_URL is not among the secrets": { publicUrl, database: { embedded: false } },
  "secrets.keys is empty": { publicUrl, secrets: { existing: "catchment" } },
};

const folder = makeScratchFolder("chart");
try {
  const registry = "registry.example.com/tools";
  const version = "1.2.3";
  packageChart({ checkout, out: folder, registry, version });
  const file = join(folder, `catchment-chart-${version}.tgz`);
  execFileSync("tar", ["--extract", "--file", file, "--directory", folder]);
  const render = prepareRenderer(folder, join(folder, "catchment"));
  for (const [name, values] of Object.entries(variants)) {
    const rendering = render(values);
    if (!rendering.ok) throw new Error(`${name}: ${rendering.message}`);
    const { manifests } = rendering;
    for (const manifest of manifests) validate(manifest);
    checkPods(manifests);
    checkSelectors(manifests);
    say(
      `✓ ${name}: ${manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(", ")}`,
    );
  }
  for (const [message, values] of Object.entries(refusals)) {
    const rendering = render(values);
    if (rendering.ok || !rendering.message.includes(message))
      throw new Error(`${message}: ${JSON.stringify(rendering)}`);
    say(`✓ refused: ${message}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Prometheus's operator brings the only kind that isn't Kubernetes' own. */
function validate(manifest: Manifest): void {
  const { apiVersion, kind } = manifest;
  if (kind === "ServiceMonitor") return;
  const model = models.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (model === undefined) throw new Error(`There is no schema for ${apiVersion} ${kind}.`);
  try {
    new model(manifest as never).validate();
  } catch (error) {
    throw new Error(`${kind} ${manifest.metadata.name}: ${error}`);
  }
  requireKnownFields(manifest, `${kind} ${manifest.metadata.name}`);
}

/** The schemas allow any other field, so a misspelled one would be ignored by the cluster, and by them. */
function requireKnownFields(value: unknown, where: string): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !knownFields.has(key))
      throw new Error(`${where}: Kubernetes knows no field ${key}.`);
    const isFree = free.test(key) && !("matchLabels" in Object(inner));
    if (!isFree) requireKnownFields(inner, `${where}.${key}`);
  }
}

function listPodSpecs(manifests: readonly Manifest[]) {
  return manifests.filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet");
}

/** Checks what the Dockerfile needs: its user, port, volume, and a read-only root. */
function checkPods(manifests: readonly Manifest[]): void {
  const instruction = (name: string) =>
    new RegExp(`^${name} (.*)$`, "m").exec(dockerfile)?.[1] ?? "";
  for (const { spec } of listPodSpecs(manifests)) {
    const { containers, securityContext, volumes, ...pod } = spec.template.spec;
    const [container] = containers;
    deepStrictEqual(container.image, "registry.example.com/tools/catchment:1.2.3");
    const { runAsUser, runAsGroup, runAsNonRoot } = securityContext;
    deepStrictEqual(`${runAsUser}:${runAsGroup}`, instruction("USER"));
    deepStrictEqual([runAsNonRoot, pod.automountServiceAccountToken], [true, false]);
    deepStrictEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    deepStrictEqual(String(container.ports[0].containerPort), instruction("EXPOSE"));
    const mounts = container.volumeMounts as { name: string; mountPath: string }[];
    deepStrictEqual(
      mounts.some(({ mountPath }) => mountPath === instruction("VOLUME")),
      true,
    );
    const claims = (spec.volumeClaimTemplates ?? []) as Manifest[];
    const named = [...volumes, ...claims.map(({ metadata }) => metadata)].map(({ name }) => name);
    deepStrictEqual(mounts.map(({ name }) => name).toSorted(), named.toSorted());
    const names = (container.env as { name: string }[]).map(({ name }) =>
      name.replace(/_FILE$/, ""),
    );
    deepStrictEqual(
      names.filter((name) => !variables.includes(name)),
      [],
    );
    deepStrictEqual(new Set(names).size, names.length);
    deepStrictEqual(container.livenessProbe.httpGet.path, "/api/health/live");
    deepStrictEqual(container.readinessProbe.httpGet.path, "/api/health/ready");
  }
}

type Labels = Readonly<Record<string, string>>;

/** Checks that each selector of pods or services selects at least one. */
function checkSelectors(manifests: readonly Manifest[]): void {
  const pods = listPodSpecs(manifests).map(({ spec }) => spec.template.metadata.labels as Labels);
  const services = manifests.filter(({ kind }) => kind === "Service");
  const serviceLabels = services.map(({ metadata }) => metadata.labels);
  for (const { kind, spec, metadata } of manifests) {
    const selector = (spec?.podSelector ?? spec?.selector) as Labels | { matchLabels: Labels };
    if (selector === undefined) continue;
    const wanted = Object.entries("matchLabels" in selector ? selector.matchLabels : selector);
    const candidates = kind === "ServiceMonitor" ? serviceLabels : pods;
    const found = candidates.filter((labels) =>
      wanted.every(([key, value]) => labels[key] === value),
    );
    if (found.length === 0) throw new Error(`${kind} ${metadata.name} selects nothing.`);
    // All but the policy and the service of metrics are about one component.
    const isOne = !(kind === "NetworkPolicy" || metadata.name.endsWith("-metrics"));
    if (isOne) deepStrictEqual([metadata.name, found.length], [metadata.name, 1]);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
