import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { eventTypes, recipients } from "./testing/receivers.ts";

type SentEvent = { readonly id: string; readonly type: string; readonly recipient: string };

export type Publishers = {
  /** Events with a complete 2xx. */
  readonly acknowledged: readonly SentEvent[];
  /** All events, acknowledged or not. */
  readonly sent: ReadonlyMap<string, SentEvent>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestResponseMs: () => number;
  /** Lets each finish its request in flight. */
  stop(): Promise<void>;
};

type PublisherOptions = {
  readonly port: number;
  readonly apiToken: string;
  readonly clients: number;
  readonly tag: string;
  /** Between an acknowledgement and the next event. Omitted: none. */
  readonly pauseMs?: number;
};

/**
 * Starts publishers. Each publishes one event after the other, and repeats it until it is
 * acknowledged.
 */
export function startPublishers({
  port,
  apiToken,
  clients,
  tag,
  pauseMs = 0,
}: PublisherOptions): Publishers {
  const acknowledged: SentEvent[] = [];
  const sent = new Map<string, SentEvent>();
  const statuses: Record<string, number> = {};
  const ended: Promise<void>[] = [];
  let slowestResponseMs = 0;
  let isStopping = false;
  const count = (what: string) => {
    statuses[what] = (statuses[what] ?? 0) + 1;
  };

  function startClient(number: number): Promise<void> {
    const done = Promise.withResolvers<void>();
    let sequence = 0;
    let event = makeEvent();
    let sentAt = 0;
    /** A response may close its connection. Only what was scheduled last goes on then. */
    let turn = 0;
    let connection = open();
    send();

    function makeEvent(): SentEvent {
      sequence += 1;
      const id = `evt_${tag}_${number}_${sequence}`;
      const type = eventTypes[sequence % eventTypes.length] ?? "a.done";
      const recipient = recipients[(number + sequence) % recipients.length] ?? "cust_0";
      return { id, type, recipient };
    }

    function open(): RawConnection {
      return new RawConnection({
        port,
        onResponse(status, _body, head) {
          slowestResponseMs = Math.max(slowestResponseMs, performance.now() - sentAt);
          const hasRetryAfter = /\r\nretry-after: *\d/i.test(head);
          count(status === 503 && !hasRetryAfter ? "503 without Retry-After" : String(status));
          if (status === 200 || status === 202) {
            acknowledged.push(event);
            event = makeEvent();
            if (pauseMs === 0) next();
            else setTimeout(inTurn(next), pauseMs);
          } else setTimeout(inTurn(next), 20);
        },
        onLost(wasWaiting) {
          turn += 1;
          count(wasWaiting ? "reset" : "refused");
          setTimeout(() => {
            if (isStopping) {
              done.resolve();
              return;
            }
            connection = open();
            send();
          }, 20);
        },
      });
    }

    function inTurn(go: () => void): () => void {
      const own = turn;
      return () => {
        if (own === turn) go();
      };
    }

    function next(): void {
      if (!isStopping) {
        send();
        return;
      }
      connection.destroy();
      done.resolve();
    }

    function send(): void {
      sent.set(event.id, event);
      sentAt = performance.now();
      const body = JSON.stringify({ ...event, data: { total: 42 } });
      connection.send(
        Buffer.from(
          `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
            `Authorization: Bearer ${apiToken}\r\nContent-Type: application/json\r\n` +
            `Content-Length: ${body.length}\r\n\r\n${body}`,
        ),
      );
    }

    return done.promise;
  }

  for (let number = 0; number < clients; number += 1) ended.push(startClient(number));
  return {
    acknowledged,
    sent,
    statuses,
    slowestResponseMs: () => slowestResponseMs,
    stop: async () => {
      isStopping = true;
      await Promise.all(ended);
    },
  };
}
