import { execFileSync } from "node:child_process";
import { StartError } from "./start-error.ts";

export type SystemUser = { readonly uid: number; readonly gid: number };

export const serviceUserName = "catchment";

/**
 * The user that Catchment runs as when root starts it, created if needed. Undefined for other
 * users.
 */
export function findServiceUser(): SystemUser | undefined {
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
    execFileSync("id", [flag, serviceUserName], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  if (!Number.isInteger(id)) throw new Error("id printed no number");
  return id;
}

function create(): SystemUser {
  try {
    const name = serviceUserName;
    execFileSync("groupadd", ["--system", "--force", name], { stdio: "ignore" });
    const user = [
      "--system",
      "--gid",
      name,
      "--no-create-home",
      "--shell",
      "/usr/sbin/nologin",
      name,
    ];
    execFileSync("useradd", user, { stdio: "ignore" });
  } catch {
    // The result only depends on whether the user exists now.
  }
  const user = lookUp();
  if (user !== undefined) return user;
  throw new StartError(
    `Catchment doesn't run as root, and the system user ${serviceUserName} could ` +
      "not be created: create it, or start Catchment as another user.",
  );
}
