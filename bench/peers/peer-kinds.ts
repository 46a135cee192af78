import { handlerKinds } from "./handlers.ts";
import { nodeRed } from "./node-red.ts";
import type { PeerKind } from "./peer.ts";

/** All peers, in the order of the table. */
export const peerKinds: readonly PeerKind[] = [...handlerKinds, nodeRed];
