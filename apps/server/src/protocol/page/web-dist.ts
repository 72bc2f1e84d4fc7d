/** Directory of the built SPA. */
export const webDist = new URL('../../../../web/dist', import.meta.url).pathname;
