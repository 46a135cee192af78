import { spawn } from "node:child_process";
import { memoryFlags } from "./memory-flags.ts";
import { compileCacheFolder, projectRoot } from "./paths.ts";

/**
 * Run by set-up, once after each change: has Node strip the types of the server's code and compile it into its cache, for the flags
 * of each process. One that finds a single file missing there loads the stripper, 18 MB of WebAssembly that it then keeps.
 */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: compileCacheFolder,
};

await Promise.all(Object.entries(memoryFlags).map(([name, flags]) => compile(name, flags)));

/** All modules are loaded and linked before the first of them runs, and the first ends the process. */
async function compile(name: string, flags: readonly string[]): Promise<void> {
  const script = new URL(`${name}.ts`, import.meta.url).href;
  const source = `import "data:text/javascript,process.exit(0)"; import ${JSON.stringify(script)};`;
  const args = [...flags, "--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { env, cwd: projectRoot });
  child.stderr.pipe(process.stderr);
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${name}.ts can't be compiled (code ${code}).`);
}
