/** The widths that a column of payload values can have, in pixels. */
export const minColumnWidth = 64;
export const maxColumnWidth = 640;
