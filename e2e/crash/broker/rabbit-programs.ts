import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackDebianPackages } from "#scripts/image/debian-package.ts";
import { multiarch } from "#scripts/image/tools.ts";

export type RabbitPrograms = {
  readonly server: string;
  readonly epmd: string;
  /** The environment in which they find Erlang and their libraries. */
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Debian's RabbitMQ and the Erlang that it needs, unpacked into one folder of the cache. Nothing is
 * installed, so no service starts.
 *
 * @param folder for the program that starts Erlang from there: Debian's own has its path in it
 */
export function findRabbitPrograms(folder: string): RabbitPrograms {
  const root = unpackDebianPackages(["rabbitmq-server", "erlang-base"]);
  const erlang = join(root, "usr/lib/erlang");
  const version = readdirSync(erlang).find((name) => name.startsWith("erts-"));
  if (version === undefined) throw new Error(`There is no Erlang in ${erlang}.`);
  const programs = join(erlang, version, "bin");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const erl = join(bin, "erl");
  const settings = `ROOTDIR="${erlang}" BINDIR="${programs}" EMU=beam PROGNAME=erl`;
  writeFileSync(erl, `#!/bin/sh\nexport ${settings}\nexec "$BINDIR/erlexec" "$@"\n`);
  chmodSync(erl, 0o755);
  const libraries = [`usr/lib/${multiarch}`, `lib/${multiarch}`].map((path) => join(root, path));
  return {
    server: join(root, "usr/lib/rabbitmq/bin/rabbitmq-server"),
    epmd: join(programs, "epmd"),
    env: {
      NODE_ENV: "production",
      LC_ALL: "C.UTF-8",
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      LD_LIBRARY_PATH: libraries.join(":"),
    },
  };
}
