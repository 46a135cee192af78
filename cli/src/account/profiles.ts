import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Terminal } from "../frame/command.ts";
import { Exit } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";

/** A sign-in: one account on one server. */
export type Profile = {
  readonly url: string;
  readonly token: string;
  readonly account: { readonly id: string; readonly slug: string; readonly name: string };
  /** When the token ends. Older sign-ins don't have it. */
  readonly expiresAt?: string;
};

type Profiles = {
  /** The profile that commands use. Null: none. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
};

type Env = Terminal["env"];

/** The folder of what the command line remembers on this machine. */
export function configFolder(env: Env): string {
  if (env.CATCHMENT_CONFIG_DIR) return env.CATCHMENT_CONFIG_DIR;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "catchment");
  if (env.APPDATA) return join(env.APPDATA, "catchment");
  return join(homedir(), ".config", "catchment");
}

const profilesFile = (env: Env) => join(configFolder(env), "profiles.json");

export function readProfiles(env: Env): Profiles {
  const path = profilesFile(env);
  const text = readText(path);
  if (text === null) return { current: null, profiles: {} };
  try {
    const { current = null, profiles = {} }: Partial<Profiles> = JSON.parse(text);
    return { current, profiles };
  } catch {
    throw new Exit("fault", `${path} isn't JSON. Delete it, then run: ${invocation} login URL`);
  }
}

/** Writes the file for its owner only: it has tokens. */
export function writeProfiles(env: Env, profiles: Profiles): void {
  writeOwnFile(profilesFile(env), JSON.stringify(profiles, null, 2));
}

/** Whole or not at all, and for its owner only. */
export function writeOwnFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${text}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, path);
}

/** Null: there is no such file. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
