import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { runChecked } from "./run-checked.ts";

/**
 * `npm run test:samples`: runs the code of docs/verifying-events.md in every language that it is
 * written in. As root on Debian, it installs what is missing. Fails if something is still missing.
 */
const debianPackages = {
  python3: ["python3"],
  go: ["golang-go"],
  ruby: ["ruby"],
  php: ["php-cli"],
  javac: ["default-jdk-headless"],
  // The compiler, and what its programs need to run.
  mcs: ["mono-mcs", "mono-runtime", "libmono-system-core4.0-cil"],
} as const;
type Program = keyof typeof debianPackages;

const missing = listMissing();
if (missing.length > 0) install(missing);
const left = listMissing();
for (const program of left)
  process.stderr.write(`${program} is missing: install ${debianPackages[program].join(", ")}.\n`);
const { code } = await runChecked("vitest", ["run", "--project", "samples"], {
  show: true,
  env: { TEST_ALL_SAMPLES: "1" },
});
process.exitCode = left.length > 0 ? 1 : code;

function listMissing(): readonly Program[] {
  return (Object.keys(debianPackages) as Program[]).filter(
    (program) => spawnSync("which", [program]).status !== 0,
  );
}

function install(programs: readonly Program[]): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const packages = programs.flatMap((program) => debianPackages[program]);
  const options = {
    stdio: "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  } as const;
  execFileSync("apt-get", ["update", "-qq"], options);
  execFileSync(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", ...packages],
    options,
  );
}
