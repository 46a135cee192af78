import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** npm keeps its cache in the home folder, which service users don't have. Then it is kept here. */
export function chooseNpmCache(root, env = process.env) {
  try {
    const cache = env.npm_config_cache ?? join(homedir(), ".npm");
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.R_OK | constants.W_OK | constants.X_OK);
    return {};
  } catch {
    return { npm_config_cache: join(root, "node_modules", ".cache", "npm") };
  }
}
