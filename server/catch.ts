import { startCatch } from "#lib/catch/start-catch.ts";
import { isInNetworks } from "#lib/core/address/allow-list.ts";
import { keepArrivedSecret } from "#lib/db/arrived-secret.ts";
import { createDatabase } from "#lib/db/client.ts";
import { openDatabaseDisk } from "#lib/db/database-disk.ts";
import { openSealer } from "#lib/db/open-sealer.ts";
import { createSqlDatabase } from "#lib/db/sql-database.ts";
import { readEnv } from "#lib/env.ts";
import { confirmUrl } from "#lib/net/confirm-url.ts";
import { createLazyHttpClient } from "#lib/net/lazy-http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import { readMaxConnections } from "./connection-limit.ts";
import { createListener } from "./http-listener.ts";
import { answerNoDashboard, createWebProxy } from "./proxy-to-web.ts";
import { type RunningRole, runRole } from "./run-role.ts";

/** The process that owns the port: deliveries are caught here, everything else goes to the web process. */
await runRole("catch", async ({ wake }): Promise<RunningRole> => {
  const env = readEnv();
  const { databaseUrl, secretKey } = env;
  if (databaseUrl === undefined || secretKey === undefined)
    throw new Error("Start this with server/start.ts.");
  const connection = { url: databaseUrl, applicationName: "catchment-catch", statementTimeoutMs: 4_000 };
  const db = createSqlDatabase({ ...connection, poolSize: 4 });
  // For the rare secret that a sender gives in a handshake; it costs nothing before the first.
  const models = createDatabase({ ...connection, poolSize: 1 });
  const sealer = openSealer(secretKey);
  const { trustedProxies } = env;
  // For keys of senders, at their own public addresses: nothing internal is ever allowed here.
  const client = createLazyHttpClient({ allow: [], ownOrigins: [env.publicUrl], ownPorts: [env.port] });
  const disk = openDatabaseDisk(env.internal.databaseFolder, env.minFreeDiskBytes);
  const running = startCatch({
    db,
    databaseUrl,
    sealer,
    signingKeys: createSigningKeys({ client, now: Date.now }),
    handshakes: {
      keepSecret: (hook, secret) => keepArrivedSecret(models, hook, secret, sealer),
      confirmUrl: (url) => confirmUrl(client, url, 3_000),
    },
    publicUrl: env.publicUrl,
    maxBodyBytes: env.maxBodyBytes,
    trustedProxies,
    hookRatePerSecond: 0,
    isStorageLow: () => disk?.isLow() ?? false,
  });
  const socketPath = env.internal.webSocket;
  const server = createListener({
    onCatch: running.handle,
    onOther:
      socketPath === undefined
        ? answerNoDashboard
        : createWebProxy({ socketPath, wake: () => wake("web"), publicUrl: env.publicUrl, trustedProxies }),
    maxBodyBytes: env.maxBodyBytes,
    maxConnections: readMaxConnections(),
    isTrustedPeer: (address) => isInNetworks(address, trustedProxies),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(env.port, env.host, resolve);
  });
  return {
    async stop() {
      server.close();
      server.closeIdleConnections();
      await running.stop();
      await client.close();
      disk?.stop();
      server.closeAllConnections();
      await Promise.all([db.$disconnect(), models.$disconnect()]);
    },
  };
});
