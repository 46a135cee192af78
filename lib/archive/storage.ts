/** Where archives are: a folder, or a bucket. Names have slashes, as paths. */
export type ArchiveStorage = {
  /** Writes a file, or replaces it. It is whole and durable then, or not there. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null: there is none. */
  get(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** The files in a folder and in those below it, by their names from there. */
  list(folder: string): Promise<readonly string[]>;
  /** The folders at the top. */
  listFolders(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** What failed, and why, in a sentence for the operator. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
