/** Additional environment variables for npm. */
export function chooseNpmCache(
  root: string,
  env?: NodeJS.ProcessEnv,
): Readonly<Record<string, string>>;
