/** Checks if node_modules contains what package-lock.json requires. */
export function isInstalled(root: string, wanted: { readonly withDevelopment: boolean }): boolean;
