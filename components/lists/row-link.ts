/** Marks the main link of a row, which `ListKeys` moves through. */
export const rowLink = { "data-row-link": "" } as const;
