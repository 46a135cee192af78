import { type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { memoryFlags } from "#server/system/memory-flags.ts";
import {
  compileCacheFolder,
  entryPoints,
  monitoringScripts,
  projectRoot,
  serviceCompileCacheFolder,
  threadScripts,
} from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";

/**
 * Run by setup after each change: makes Node strip the types of the server's code and compile it
 * into its cache, with the flags of each process. A process that misses a single file there loads
 * the stripper, 18 MB of WebAssembly that it then keeps.
 */
type EntryPoint = keyof typeof entryPoints;

const serviceUser = findServiceUser();
if (serviceUser !== undefined) {
  mkdirSync(serviceCompileCacheFolder, { recursive: true });
  chownSync(serviceCompileCacheFolder, serviceUser.uid, serviceUser.gid);
}
await Promise.all((Object.keys(entryPoints) as EntryPoint[]).map(compile));

/**
 * All modules are loaded and linked before the first one runs, and the first one ends the process.
 */
async function compile(name: EntryPoint): Promise<void> {
  const threadScript = Object.hasOwn(threadScripts, name) ? [Reflect.get(threadScripts, name)] : [];
  const lazy = Object.hasOwn(monitoringScripts, name) ? Reflect.get(monitoringScripts, name) : [];
  const scripts = [entryPoints[name], ...threadScript, ...lazy].map(
    (path) => pathToFileURL(path).href,
  );
  const imports = scripts.map((script) => `import ${JSON.stringify(script)};`).join(" ");
  const source = `import "data:text/javascript,process.exit(0)"; ${imports}`;
  const args = [...memoryFlags[name], "--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { cwd: projectRoot, ...runsAs(name) });
  child.stderr.pipe(process.stderr);
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${name}.ts can't be compiled (code ${code}).`);
}

/**
 * Code that root starts runs as root only until it drops its privileges: see
 * `start/drop-root-privileges.ts`.
 */
function runsAs(name: EntryPoint): SpawnOptionsWithoutStdio {
  const env = { ...process.env, NODE_ENV: "production" as const };
  if (serviceUser === undefined || name === "start")
    return { env: { ...env, NODE_COMPILE_CACHE: compileCacheFolder } };
  return { ...serviceUser, env: { ...env, NODE_COMPILE_CACHE: serviceCompileCacheFolder } };
}
