import { execFileSync } from "node:child_process";
import { StartError } from "../start-error.ts";

/** Whom PostgreSQL runs as; `undefined` where that is simply the present user. */
export type SystemUser = { readonly uid: number; readonly gid: number };

/**
 * PostgreSQL refuses to run as root. Started by root it runs as the system user `postgres`, which is made where it
 * doesn't exist, as the Debian package does.
 */
export function findPostgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp() ?? create();
}

function lookUp(): SystemUser | undefined {
  try {
    return { uid: readId("-u"), gid: readId("-g") };
  } catch {
    return undefined;
  }
}

function readId(flag: "-u" | "-g"): number {
  const id = Number(
    execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  if (!Number.isInteger(id)) throw new Error("id printed no number");
  return id;
}

function create(): SystemUser {
  try {
    execFileSync("groupadd", ["--system", "--force", "postgres"], { stdio: "ignore" });
    execFileSync("useradd", ["--system", "--gid", "postgres", "--no-create-home", "postgres"], {
      stdio: "ignore",
    });
  } catch {
    // What counts is whether the user is there now.
  }
  const user = lookUp();
  if (user !== undefined) return user;
  throw new StartError(
    "PostgreSQL can't run as root, and the system user postgres could not be created: start Catchment as another user, or set DATABASE_URL.",
  );
}

/**
 * Fails with one sentence where PostgreSQL's user can't get at its own programs or folder, as under /root.
 * `folder` must exist and let the user's group pass.
 */
export function requireReachable(user: SystemUser | undefined, program: string, folder: string): void {
  if (user === undefined) return;
  for (const path of [program, folder]) {
    try {
      execFileSync("/bin/sh", ["-c", 'test -x "$0"', path], { ...user, cwd: "/", stdio: "ignore" });
    } catch {
      throw new StartError(describeUnreachable(path === program, path));
    }
  }
}

function describeUnreachable(isProgram: boolean, path: string): string {
  const reason = `Started by root, PostgreSQL runs as the user postgres, who may not enter the folders above ${path}`;
  return isProgram
    ? `${reason}: move Catchment to a folder that everybody may pass through, like /opt/catchment, or start it as another user.`
    : `${reason}: set CATCHMENT_DATA_DIR to a folder that everybody may pass through, like /var/lib/catchment, or start Catchment as another user.`;
}
