/** How often the panels of Home look again. */
export const REFRESH_MS = 30_000;
