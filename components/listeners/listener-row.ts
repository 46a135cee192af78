type Connection = {
  readonly id: string;
  /** The machine, as it calls itself. */
  readonly host: string;
  /** What its program responds is what the provider gets. */
  readonly replies: boolean;
  readonly connectedAt: Date;
};

export type ListenerView = {
  readonly id: string;
  /** Null: it ends with its connection. */
  readonly name: string | null;
  /** The email of a person, or the name of a token. */
  readonly ownerName: string;
  /** The programs that are connected now. */
  readonly connections: readonly Connection[];
  readonly seenAt: Date;
  /** Accepted deliveries that it hasn't acknowledged. Counted up to 10,000. */
  readonly lag: number;
  /** Whether the viewer may disconnect and delete it. */
  readonly canEnd: boolean;
};

export type ListenerRow = {
  readonly key: string;
  readonly listener: ListenerView;
  /** Null: no program is connected. */
  readonly connection: Connection | null;
  readonly title: string;
  readonly detail: string;
  readonly lag: string;
};

/** A row for each program that is connected, and one for a listener without any. */
export function toListenerRows(listeners: readonly ListenerView[]): readonly ListenerRow[] {
  return listeners.flatMap((listener) => {
    const { connections } = listener;
    const shown = connections.length === 0 ? [null] : connections;
    return shown.map((connection) => toRow(listener, connection));
  });
}

function toRow(listener: ListenerView, connection: Connection | null): ListenerRow {
  const { id, name, ownerName, connections } = listener;
  const host = connection?.host ?? null;
  const title = name ?? host ?? "Without a name";
  return {
    key: connection?.id ?? id,
    listener,
    connection,
    title,
    detail: [
      ...(host === null || host === title ? [] : [host]),
      ownerName,
      ...(connection?.replies === true ? ["answers the provider"] : []),
    ].join(" · "),
    lag: describeLag(listener.lag, connections.length > 1),
  };
}

const maxCounted = 10_000;

function describeLag(lag: number, isShared: boolean): string {
  if (lag === 0) return "Caught up";
  const count = `${lag.toLocaleString("en")}${lag >= maxCounted ? "+" : ""}`;
  return isShared ? `${count} waiting, shared` : `${count} waiting`;
}
