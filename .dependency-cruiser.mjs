import Visitor from "@swc/core/Visitor.js";
import { features, foundations } from "./scripts/component-folders.mjs";

/**
 * The import direction of docs/architecture.md. Each part of `lib`, and each folder beside it, may
 * import itself and what is named here, nothing else of the project. Type imports count: a type
 * that points the wrong way is a dependency too.
 */
const leaves = ["lib/base"];

/** The imports of code that reads stored data, and of code that also reads requests. */
const stored = ["lib/core", "lib/db", "lib/threads", "lib/schema", ...leaves];
const reading = ["lib/ingress", ...stored];

const work = ["lib/catch", "lib/publish", "lib/worker", "lib/jobs"];

/** Each folder, and the folders and files that it may import besides itself. */
const allowed = {
  "lib/schema": [],
  "lib/core": ["lib/schema", ...leaves],
  "lib/net": ["lib/core", "lib/schema", ...leaves],
  "lib/db": ["lib/core", "lib/schema", ...leaves],
  "lib/threads": ["lib/core", "lib/schema", ...leaves],
  "lib/ingress": ["lib/core", "lib/schema", ...leaves],
  "lib/event-schemas": reading,
  "lib/evaluate": reading,
  "lib/spool": ["lib/core", "lib/db", ...leaves],
  "lib/archive": ["lib/core", "lib/db", "lib/net", ...leaves],
  "lib/hand-off": ["lib/db", ...leaves],
  "lib/catch": ["lib/hand-off", "lib/evaluate", "lib/spool", ...reading],
  "lib/publish": ["lib/event-schemas", ...reading],
  "lib/worker": ["lib/hand-off", "lib/event-schemas", "lib/net", ...stored],
  "lib/jobs": [
    "lib/archive",
    "lib/worker",
    "lib/evaluate",
    "lib/event-schemas",
    "lib/core",
    "lib/db",
    "lib/net",
    "lib/threads",
    "lib/schema",
    ...leaves,
  ],
  "lib/metrics": [...work, "lib/spool", "lib/db", "lib/net", ...leaves],
  "lib/traces": ["lib/catch", "lib/publish", "lib/worker", "lib/core", "lib/db", ...leaves],
  "lib/live": leaves,
  "lib/services": [
    "lib/core",
    "lib/db",
    "lib/net",
    "lib/threads",
    "lib/evaluate",
    "lib/event-schemas",
    "lib/schema",
    "lib/env.ts",
    "lib/open-sealer.ts",
    ...leaves,
  ],
  "lib/web": ["lib/services", "lib/core", "lib/schema", "lib/live", ...leaves],
  "lib/env.ts": ["lib/core"],
  "lib/base": ["lib/schema/field/command-result.ts"],
  "lib/open-sealer.ts": ["lib/core/people/seal"],
  components: [
    "lib/schema",
    "lib/core/mapping/template",
    "lib/core/mapping/transform/built-ins.ts",
    "lib/core/api/http/curl-command.ts",
    "lib/core/api/http/show-multipart.ts",
    "lib/core/mapping/json",
    "lib/core/mapping/mapping-example",
    "lib/core/mapping/action-templates",
    "lib/core/sending/retry",
    "lib/core/verify/secret",
    "lib/core/verify/scheme/failure.ts",
    ...leaves,
  ],
  app: ["lib/services", "lib/web", "lib/evaluate", "lib/schema", "components", ...leaves],
  server: [
    "lib/env.ts",
    "lib/open-sealer.ts",
    "lib/core",
    "lib/db",
    "lib/services/account",
    "lib/services/frame",
    "lib/services/configuration",
    "lib/net",
    "lib/ingress",
    "lib/event-schemas",
    "lib/evaluate",
    "lib/spool",
    "lib/archive",
    "lib/hand-off",
    ...work,
    "lib/metrics",
    "lib/traces",
    "lib/schema",
    ...leaves,
  ],
  e2e: [
    "clients",
    // Debian's programs, and the release, which is what the tests of the image run.
    "scripts/image",
    "scripts/release",
    // Mail arrives at the same server in every test.
    "lib/net/testing/mail-server.ts",
    // So does a provider's API.
    "lib/jobs/gaps/testing/fake-stripe.ts",
    "lib/jobs/registrations/testing",
    // The ledger is read while the database fails over, and root can't run PostgreSQL.
    "lib/db/postgres/hosts/host-client.ts",
    "server/system/service-user.ts",
    "server/system/free-port.ts",
  ],
  scripts: [],
  // Packages of their own, which know nothing of the server but its API.
  clients: [],
  cli: ["clients", "lib/base"],
};

const escapeDots = (path) => path.replaceAll(".", "\\.");
const under = (path) => (path.includes(".") ? `^${escapeDots(path)}$` : `^${escapeDots(path)}/`);
// Tests may reach for the helpers of tests, and for an embedded PostgreSQL.
const tests = "(\\.test\\.tsx?|/testing/.+)$";
const testHelpers = [
  "^lib/db/testing/",
  "^lib/web/testing/",
  "^lib/services/",
  "^lib/jobs/",
  "^lib/net/testing/",
  "^lib/open-sealer\\.ts$",
];
/** Further imports for the tests of a folder: those of the API look at what is stored. */
const alsoInTests = {
  "lib/web": ["lib/db", "clients"],
  clients: ["lib/worker/send/testing"],
  // What each interface has is compared.
  scripts: ["lib/web/api/routes.ts", "lib/web/mcp/tools", "cli/src/commands.ts"],
};
const parts = "^(app|cli|clients|components|lib|server|e2e|bench|scripts)/";

// swc parses `using x = …` (ES2026), but the walker that comes with it knows no such statement and
// throws.
const { visitStatement } = Visitor.default.prototype;
Visitor.default.prototype.visitStatement = function visitAlsoUsing(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

export default {
  forbidden: [
    ...Object.entries(allowed).map(([from, to]) => ({
      name: `direction-${from.replace("lib/", "").replace(".ts", "")}`,
      severity: "error",
      from: { path: under(from), pathNot: tests },
      to: { path: parts, pathNot: [under(from), ...to.map(under)] },
    })),
    ...Object.entries(allowed).map(([from, to]) => ({
      name: `direction-${from.replace("lib/", "").replace(".ts", "")}-tests`,
      severity: "error",
      from: { path: `${under(from).replace(/\$$/, "")}.*${tests}` },
      to: {
        path: parts,
        pathNot: [...[from, ...to, ...(alsoInTests[from] ?? [])].map(under), ...testHelpers],
      },
    })),
    ...Object.entries(features).map(([feature, others]) => ({
      name: `feature-${feature}`,
      severity: "error",
      from: { path: `^components/${feature}/`, pathNot: tests },
      to: {
        path: "^components/",
        pathNot: [feature, ...others, ...foundations].map((folder) => `^components/${folder}/`),
      },
    })),
    {
      name: "samples-stay-out-of-hot-processes",
      comment: "Events to try a hook with are of use to the dashboard only, and there are many.",
      severity: "error",
      from: { path: "^server/roles/(catch|worker)\\.ts$" },
      to: { path: "\\.samples\\.ts$", reachable: true },
    },
    {
      name: "common-passwords-stay-out-of-browsers-and-hot-processes",
      comment: "A lazy import counts too.",
      severity: "error",
      from: { path: "^(components/|server/roles/(catch|worker)\\.ts$)" },
      to: { path: "node_modules/@zxcvbn-ts/", reachable: true },
    },
    {
      name: "provider-parts-know-no-provider",
      severity: "error",
      from: { path: "^lib/core/providers/shapes/" },
      to: { path: "^lib/core/providers/([^/]+\\.ts$|catalog/|samples/)" },
    },
    {
      name: "nouns-know-no-table-of-calls",
      comment:
        "The table of the API's calls stands on the nouns, and so do downloads, docs, and what tools call.",
      severity: "error",
      from: { path: "^lib/web/", pathNot: ["^lib/web/(api|docs|download|mcp|oauth)/", tests] },
      to: { path: "^lib/web/api/" },
    },
    {
      name: "no-cycle",
      severity: "error",
      from: { pathNot: "^lib/db/generated/" },
      to: { circular: true, viaOnly: { pathNot: "^lib/db/generated/" } },
    },
    {
      name: "no-unresolved",
      severity: "error",
      from: { pathNot: "^bench/peers/programs/" }, // They run beside packages of their own.
      to: { couldNotResolve: true },
    },
    {
      name: "core-is-pure",
      comment: "No I/O, no clock, no environment: of Node only hashing.",
      severity: "error",
      from: { path: "^lib/(core|schema)/", pathNot: tests },
      to: {
        dependencyTypes: ["core"],
        pathNot: "^(node:)?(crypto|buffer|util|net|zlib|punycode)$",
      },
    },
    {
      name: "pure-code-writes-no-log",
      severity: "error",
      from: { path: "^(lib/(core|schema)|components)/", pathNot: tests },
      to: { path: "^lib/base/(log|log-counted|signals|with-time-limit)\\.ts$" },
    },
    {
      name: "sql-only-in-db",
      severity: "error",
      from: { path: parts, pathNot: ["^lib/db/", "^server/", "^bench/", "^e2e/", tests] },
      to: { path: "node_modules/(pg|@prisma)/" },
    },
    {
      name: "connections-choose-their-host",
      comment: "A HostClient finds the writable host. Only the embedded database needs no choice.",
      severity: "error",
      from: {
        path: parts,
        pathNot: [
          "^lib/db/postgres/hosts/",
          "^server/database/schema-engine\\.ts$",
          "^server/postgres/",
          "^bench/",
          "^e2e/",
          tests,
        ],
      },
      to: { path: "node_modules/pg/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "db-keeps-secrets-sealed",
      comment: "Services seal; what uses a secret opens it.",
      severity: "error",
      from: { path: "^lib/db/", pathNot: tests },
      to: { path: ["^lib/core/people/seal/", "^lib/open-sealer\\.ts$"] },
    },
    {
      name: "one-link",
      comment: "It fetches a page when someone points at it, not whatever is on the screen.",
      severity: "error",
      from: { path: "^(app|components)/", pathNot: "^components/ui/link\\.tsx$" },
      to: { path: "node_modules/next/link" },
    },
    {
      name: "sockets-only-in-net",
      severity: "error",
      from: { path: "^(app|components|lib)/", pathNot: ["^lib/net/", tests] },
      to: { path: "node_modules/undici/" },
    },
  ],
  options: {
    // TypeScript 7 has no parser that dependency-cruiser can call; swc has.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "^lib/db/generated/"] },
    exclude: { path: "^\\.next/" },
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
    },
  },
};
