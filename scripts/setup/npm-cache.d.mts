/** What npm is to find in its environment, beside everything else. */
export function chooseNpmCache(root: string, env?: NodeJS.ProcessEnv): Readonly<Record<string, string>>;
