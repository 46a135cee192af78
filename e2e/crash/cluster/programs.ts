import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { unpackDebianPackages } from "#scripts/image/debian-package.ts";
import { multiarch } from "#scripts/image/tools.ts";

const named = ["patroni", "etcd-server", "haproxy", "pgbouncer", "python3-etcd"];

export type Programs = {
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
  readonly etcd: string;
  readonly patroni: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** The environment in which they find their libraries. */
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Debian's Patroni, etcd, HAProxy, PgBouncer, and PostgreSQL, with what they need and this machine
 * doesn't have. They are unpacked into one folder of the cache. Nothing is installed, so nothing starts
 * by itself or has to be removed.
 */
export function findPrograms(): Programs {
  const postgresql = findPostgresql();
  const version = postgresql.replace("postgresql-", "");
  const names = [...named, postgresql, `postgresql-client-${version}`];
  const root = unpackDebianPackages(names);
  const libraries = [`usr/lib/${multiarch}`, `lib/${multiarch}`].map((path) => join(root, path));
  return {
    postgres: join(root, "usr/lib/postgresql", version, "bin"),
    etcd: join(root, "usr/bin/etcd"),
    patroni: join(root, "usr/bin/patroni"),
    haproxy: join(root, "usr/sbin/haproxy"),
    pgbouncer: join(root, "usr/sbin/pgbouncer"),
    env: {
      NODE_ENV: "production",
      LC_ALL: "C.UTF-8",
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LD_LIBRARY_PATH: libraries.join(":"),
      PYTHONPATH: join(root, "usr/lib/python3/dist-packages"),
      PYTHONDONTWRITEBYTECODE: "1",
    },
  };
}

/** The version of PostgreSQL that this Debian has. */
function findPostgresql(): string {
  const depends = run("apt-cache", "depends", "postgresql");
  const name = /Depends: (postgresql-\d+)/.exec(depends)?.[1];
  if (name === undefined) throw new Error("apt-cache knows no PostgreSQL: run apt-get update.");
  return name;
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 64e6 });
}
