/**
 * A provider's own package and its verdicts, for tests. The package is the best proof that we do
 * the same.
 */
export type Headers = Readonly<Record<string, string>>;

/** The body is text, because most packages take text. `secret` is what the user pastes. */
type PackageRequest = {
  readonly text: string;
  readonly headers: Headers;
  readonly secret: string;
  readonly nowMs: number;
};

/**
 * `signs` gives the headers that the package makes. `accepts` throws or returns false for what the
 * package rejects.
 */
export type ProviderPackage = {
  /** The name on npm. */
  readonly name: string;
  readonly accepts?: (request: PackageRequest) => unknown;
  readonly signs?: (request: Omit<PackageRequest, "headers">) => Headers | Promise<Headers>;
};
