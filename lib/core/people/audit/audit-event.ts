import type { AuditFacts } from "#lib/schema/account/audit.ts";
import { type ChainLink, nameHead } from "./chain.ts";

type Entry = ChainLink & AuditFacts;

/**
 * An entry as it is sent: `{id, type, timestamp, data}`, where `data` is the entry as the API shows it.
 * Its id is the same for each try. It contains a part of the entry's code, because a database that was
 * restored from a backup gives the same numbers to other entries.
 */
export function toAuditEvent(entry: Entry) {
  const { accountId, seq, at, event, ip, userAgent, requestId, targets, changes, mac } = entry;
  return {
    id: `audit_${seq}_${Buffer.from(mac).toString("hex").slice(0, 24)}`,
    type: "audit.entry",
    timestamp: at.toISOString(),
    data: {
      seq: Number(seq),
      at: at.toISOString(),
      event,
      actor: { type: entry.actorType, id: entry.actorId, name: entry.actorName },
      ip,
      userAgent,
      requestId,
      targets,
      changes,
      // Kept elsewhere, it proves that the log up to here is the same later.
      head: nameHead({ accountId, seq, mac }),
    },
  };
}
