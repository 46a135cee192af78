/** The place of the archives: a folder or a bucket. Names have slashes, like paths. */
export type ArchiveStorage = {
  /** Writes or replaces a file, atomically and durably. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null: there is none. */
  get(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** The files in a folder and in those below it. Their names are relative to the folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The folders at the top. */
  listFolders(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** A failed operation on archives. The message tells the operator what failed and why. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
