/** The path of a client’s page. */
export const pageOf = (id: string): string => `/developers/${encodeURIComponent(id)}`;
