/** What a transform makes of an event, and of stored ones, as the API returns it. */

/** An error of a transform, and where it is in the code, from 1. */
export type TransformError = {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

type TriedEvent = {
  /** Null: the example of its type. */
  readonly id: string | null;
  readonly type: string;
};

export type TransformPreview = {
  /** The newest events that it would have got, to choose from. */
  readonly choices: readonly TriedEvent[];
  readonly event: TriedEvent;
  readonly input: string;
  /** Null: nothing would be sent, or it failed. */
  readonly output: string | null;
  readonly error: TransformError | null;
};

export type TransformCheck = {
  readonly checked: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly (TransformError & {
    readonly eventId: string;
    readonly type: string;
  })[];
};

/** The error as text, with its place. */
export function describeTransformError({ message, line, column }: TransformError): string {
  return line === null ? message : `line ${line}, column ${column ?? 1}: ${message}`;
}
