/**
 * Asks hosts in their order, each once those before it have refused, or after a pause, so that one
 * that is silent holds no one up (as in RFC 8305).
 *
 * @param ask rejects if the host isn't writable
 * @returns the first that is. Rejects with an `AggregateError` of all refusals, in the order of hosts
 */
export async function firstWritable<Host>(
  hosts: readonly Host[],
  ask: (host: Host) => Promise<unknown>,
  pause: () => Promise<void>,
): Promise<Host> {
  const asked: Promise<Host>[] = [];
  for (const host of hosts) {
    asked.push(ask(host).then(() => host));
    const found = Promise.any(asked).then(
      () => true,
      () => false,
    );
    if (await Promise.race([found, pause().then(() => false)])) break;
  }
  return await Promise.any(asked);
}
