import type { ServiceContext } from "#lib/services/frame/service.ts";
import { mayEnd } from "#lib/services/listeners/listener-owner.ts";
import { listListeners } from "#lib/services/listeners/read-listeners.ts";
import { countLag } from "./listener-view.ts";

/** More would push the hook's deliveries out of sight. */
const maxListeners = "20";

/** The listeners that hear a hook, newest first. */
export async function readHookListeners(context: ServiceContext, hookId: string) {
  const { items, nextCursor } = await listListeners(context, { hookId, limit: maxListeners });
  const listeners = items.map((listener) => {
    const { id, name, ownerName, connections, seenAt } = listener;
    const canEnd = mayEnd(context.actor, listener);
    return { id, name, ownerName, connections, seenAt, lag: countLag(listener), canEnd };
  });
  return {
    listeners,
    hasMore: nextCursor !== null,
    /** True if a program is about to acknowledge something. */
    isMoving: listeners.some(({ lag, connections }) => lag > 0 && connections.length > 0),
  };
}
