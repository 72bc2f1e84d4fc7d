/** The page of an app at the desk. */
export const appPageOf = (id: string): string => `/desk/apps/${encodeURIComponent(id)}`;
