/** Whether node_modules holds what package-lock.json asks for. */
export function isInstalled(root: string, wanted: { readonly withDevelopment: boolean }): boolean;
