/** The `client_id` of the portal's own sign-in, which no registered app has. */
export const PORTAL_CLIENT_ID = 'candela-portal';
