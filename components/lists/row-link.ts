/** Of the link in a row that leads to what the row is about: `ListKeys` walks through these. */
export const rowLink = { "data-row-link": "" } as const;
